/* SPDX-License-Identifier: MIT */
#ifndef PLF_BLOCKED_H
#define PLF_BLOCKED_H

/* No global resources: see kernel/global.h. */
static inline bool plf_is_blocked(const struct plf_task *task)
{
	(void)task;
	return false;
}

#endif
