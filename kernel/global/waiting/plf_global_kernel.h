/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_KERNEL_H
#define PLF_GLOBAL_KERNEL_H

/* An activation that ends gives up each resource that it holds. */
void plf_leave_mutexes(struct plf_core *core, struct plf_task *task);

static inline void plf_leave_global(struct plf_core *core, struct plf_task *task)
{
	plf_leave_mutexes(core, task);
}

#endif
