/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_CONTRACT_H
#define PLF_GLOBAL_CONTRACT_H

/*
 * Between the portable kernel and a protocol for global resources, whose users are on several
 * cores. A protocol is a folder of kernel/global with five headers:
 *
 *  plf_global_members.h  the protocol's members of tasks, their levels and the queue of a core;
 *                        PLF_GLOBAL_IN_USER_MODE: whether tasks reach the words of their resources;
 *                        PLF_GLOBAL_MARK(user): the mark of a user in a word;
 *                        PLF_GLOBAL_PLACE(user): by core, the place of the user's core;
 *                        PLF_GLOBAL_SPINS: whether tasks themselves wait for the words;
 *  plf_global.h          for tasks: the services that enter and leave a section;
 *  plf_global_kernel.h   the functions declared here;
 *  plf_blocked.h         plf_is_blocked() of cores.h;
 *  plf_ready_levels.h    the functions of scheduler/plf_running.h.
 *
 * All spinlocks share these headers, in spin/. A folder in it has plf_spin.h, the protocol of the
 * words.
 *
 * Global resources have the numbers from PLF_RESOURCES on. Their sections are outermost, except
 * that spinlocks may nest in spinlocks and in resources. A task in such a section neither waits nor
 * ends. The ceilings are above all other levels of every core.
 */
#include "plf_schedule.h"
#include "resource.h"
#include "service.h"

/* The activation of the running task is over. Leave the sections that it holds. */
static inline void plf_leave_global(struct plf_core *core, struct plf_task *task);

/* Return whether the section that the running task entered last is that of a spinlock. */
static inline bool plf_holds_spinlock(struct plf_core *core);

#include "plf_global_kernel.h"

#ifndef plf_holds_spinlock
static inline bool plf_holds_spinlock(struct plf_core *core)
{
	(void)core;
	return false;
}
#endif

/* Extended status: return why the running task must not end, wait, or give way now. */
static inline __attribute__((warn_unused_result)) StatusType plf_open_section(struct plf_core *core)
{
	if (!PLF_EXTENDED_STATUS || !plf_holds_resource(core))
		return E_OK;
	return plf_holds_spinlock(core) ? E_OS_SPINLOCK : E_OS_RESOURCE;
}

#endif
