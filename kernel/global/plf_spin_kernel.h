/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_KERNEL_H
#define PLF_GLOBAL_KERNEL_H

/* Spinlocks in the kernel: see kernel/global.h. The words are in user memory. */
#include "config.h"
#include "plf_globals.h"
#include "plf_spin.h"

/*
 * Release each lock that the task holds, and withdraw its request for each lock on which it spins.
 * The time grows with the number of the task's spinlocks.
 */
static inline void plf_leave_global(struct plf_core *core, struct plf_task *task)
{
	uint64_t left = task->resources >> PLF_RESOURCES;

	(void)core;
	for (unsigned global = 0; left; global++, left >>= 1)
		if (left & 1)
			plf_spin_end(plf_globals[global].words,
				     plf_global_mark(task->index, global));
}

/* Valid in extended status only, as plf_holds_resource() is. */
#define plf_holds_spinlock plf_holds_spinlock
static inline bool plf_holds_spinlock(struct plf_core *core)
{
	return plf_load32(&core->words->checks.top) > PLF_RESOURCES;
}

#endif
