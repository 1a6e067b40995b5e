/* SPDX-License-Identifier: MIT */
#ifndef PLF_BLOCKED_H
#define PLF_BLOCKED_H

static inline bool plf_is_blocked(const struct plf_task *task)
{
	return task->request != 0;
}

#endif
