/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_CONTRACT_H
#define PLF_GLOBAL_CONTRACT_H

/*
 * Between the portable kernel and a protocol for global resources, whose users are on several
 * cores. It is a folder of kernel/global with five headers:
 *
 *   plf_global_members.h  what its tasks, their levels and the queue of a core have besides;
 *                         PLF_GLOBAL_IN_USER_MODE: whether tasks reach the words of theirs;
 *                         PLF_GLOBAL_MARK(user): what stands for a user there;
 *                         PLF_GLOBAL_PLACE(user): by core, the place of its core; and
 *                         PLF_GLOBAL_SPINS: whether tasks wait for the words by themselves;
 *   plf_global.h          for tasks: the services that enter and leave a section;
 *   plf_global_kernel.h   the functions declared here;
 *   plf_blocked.h         that of cores.h;
 *   plf_ready_levels.h    those of scheduler/plf_running.h.
 *
 * Spinlocks have these headers in common, in spin/. A folder in it has plf_spin.h, which is the
 * protocol of the words.
 *
 * Global resources have the numbers from PLF_RESOURCES on. Their sections are outermost, but for
 * spinlocks in spinlocks and in resources, and a task in one does not wait, nor end. Their ceilings
 * are above all other levels of every core.
 */
#include "plf_schedule.h"
#include "resource.h"
#include "service.h"

/* The activation of the running task is over: it leaves what it holds. */
static inline void plf_leave_global(struct plf_core *core, struct plf_task *task);

/* Whether the section that the running task has entered last is that of a spinlock. */
static inline bool plf_holds_spinlock(struct plf_core *core);

#include "plf_global_kernel.h"

#ifndef plf_holds_spinlock
static inline bool plf_holds_spinlock(struct plf_core *core)
{
	(void)core;
	return false;
}
#endif

/* Extended status: why the running task may not end, wait, or give way now. */
static inline __attribute__((warn_unused_result)) StatusType plf_open_section(struct plf_core *core)
{
	if (!PLF_EXTENDED_STATUS || !plf_holds_resource(core))
		return E_OK;
	return plf_holds_spinlock(core) ? E_OS_SPINLOCK : E_OS_RESOURCE;
}

#endif
