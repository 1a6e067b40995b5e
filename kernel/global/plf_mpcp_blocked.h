/* SPDX-License-Identifier: MIT */
#ifndef PLF_BLOCKED_H
#define PLF_BLOCKED_H

/* `request` points to the state of the task's last request. Only the task's core writes it. */
#include "protocol/mpcp_queue.h"

static inline bool plf_is_blocked(const struct plf_task *task)
{
	const uint32_t *request = __atomic_load_n(&task->request, __ATOMIC_ACQUIRE);

	return request && plf_mpcp_is_waiting(request);
}

#endif
