/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_KERNEL_H
#define PLF_GLOBAL_KERNEL_H

/* No global resources: see kernel/global.h. */

static inline void plf_leave_global(struct plf_core *core, struct plf_task *task)
{
	(void)core, (void)task;
}

#endif
