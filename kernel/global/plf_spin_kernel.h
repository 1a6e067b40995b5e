/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_KERNEL_H
#define PLF_GLOBAL_KERNEL_H

/* Spinlocks, in the kernel: see kernel/global.h. The words are user memory. */
#include "config.h"
#include "plf_globals.h"
#include "plf_spin.h"

/*
 * A lock that it holds is free then, or the next one's; and none for which it spins becomes its.
 * As long as the task has spinlocks.
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

/* Known in extended status only; plf_holds_resource() of the same. */
#define plf_holds_spinlock plf_holds_spinlock
static inline bool plf_holds_spinlock(struct plf_core *core)
{
	return plf_load32(&core->words->checks.top) > PLF_RESOURCES;
}

#endif
