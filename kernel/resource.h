/* SPDX-License-Identifier: MIT */
#ifndef PLF_RESOURCE_CONTRACT_H
#define PLF_RESOURCE_CONTRACT_H

/*
 * Between the portable kernel and a resource protocol. A protocol is a folder of kernel/resource
 * with three headers:
 *
 *  plf_words.h     the words that user code and the kernel share (struct plf_words, in struct
 *                  plf_page), the kernel's copy while a task does not run (struct plf_task_words),
 *                  and PLF_USER_MASKS_INTERRUPTS: whether tasks may mask interrupts;
 *  plf_resource.h  for tasks: GetResource() and ReleaseResource();
 *  plf_level.h     the kernel's half: the functions declared here and in plf_asks.h of the
 *                  scheduler, as far as they have something to do.
 *
 * If plf_level.h defines a function below, it must define a macro of that name. The other functions
 * have their default here. A protocol does not know internal resources, because they are the
 * scheduler's.
 *
 * Garbage in the words harms only their task.
 */
#include "cores.h"
#include "os_types.h"

/* ---- The words of the running task -------------------------------------- */

/* The task gives up the core. */
static inline void plf_leave_words(struct plf_core *core, struct plf_task *task);

/* The task's activation is over. A new activation begins without resources. */
static inline void plf_forget_words(struct plf_task *task);

/* Extended status: the running task holds interrupts back from now on, or lets them through. */
static inline void plf_show_masked(struct plf_core *core, bool masked);

/* Return whether the running task is in a section. Without extended status this is always false. */
static inline bool plf_holds_resource(struct plf_core *core);

/* ---- Decisions ----------------------------------------------------------- */

/* The kernel was entered, in any way, while a task runs. */
static inline void plf_on_entry(struct plf_core *core);

/* The running task called because it may have become less urgent (PLF_CALL_PREEMPT). */
static inline void plf_settle(struct plf_core *core);

/* Fixed priorities: the task was left in a section, and continues at this level. */
static inline void plf_resumes_raised(struct plf_task *task, unsigned level);

/*
 * Fixed priorities: the level of the next task that may preempt the running task; 0: no task may.
 */
static inline void plf_next_changed(struct plf_core *core, unsigned next);

/* ---- The system calls: E_OS_SERVICEID if resources are user code ---------- */

static inline __attribute__((warn_unused_result)) struct plf_result
plf_get_resource(struct plf_core *core, uintptr_t resource);

/* Afterwards the caller must preempt the task if that is due. */
static inline __attribute__((warn_unused_result)) struct plf_result
plf_release_resource(struct plf_core *core, uintptr_t resource);

#include "plf_asks.h"
#include "plf_level.h"

/* ---- Defaults: nothing to do ---------------------------------------------- */

#ifdef plf_on_entry
#define PLF_SYNCHRONISES_ON_ENTRY 1
#else
#define PLF_SYNCHRONISES_ON_ENTRY 0
static inline void plf_on_entry(struct plf_core *core)
{
	(void)core;
}
#endif

#ifndef plf_settle
static inline void plf_settle(struct plf_core *core)
{
	(void)core;
}
#endif

#ifndef plf_next_changed
static inline void plf_next_changed(struct plf_core *core, unsigned next)
{
	(void)core, (void)next;
}
#endif

#ifndef plf_resumes_raised
static inline void plf_resumes_raised(struct plf_task *task, unsigned level)
{
	(void)task, (void)level;
}
#endif

#ifndef plf_leave_words
static inline void plf_leave_words(struct plf_core *core, struct plf_task *task)
{
	(void)core, (void)task;
}
#endif

#ifndef plf_forget_words
static inline void plf_forget_words(struct plf_task *task)
{
	(void)task;
}
#endif

#ifndef plf_show_masked
static inline void plf_show_masked(struct plf_core *core, bool masked)
{
	(void)core, (void)masked;
}
#endif

#ifndef plf_holds_resource
static inline bool plf_holds_resource(struct plf_core *core)
{
	(void)core;
	return false;
}
#endif

#ifndef plf_get_resource
static inline struct plf_result plf_get_resource(struct plf_core *core, uintptr_t resource)
{
	(void)core, (void)resource;
	return (struct plf_result) { .status = E_OS_SERVICEID, .value = 0 };
}
#endif

#ifndef plf_release_resource
static inline struct plf_result plf_release_resource(struct plf_core *core, uintptr_t resource)
{
	(void)core, (void)resource;
	return (struct plf_result) { .status = E_OS_SERVICEID, .value = 0 };
}
#endif

#endif
