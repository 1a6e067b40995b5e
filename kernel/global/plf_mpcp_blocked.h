/* SPDX-License-Identifier: MIT */
#ifndef PLF_BLOCKED_H
#define PLF_BLOCKED_H

/* Its core writes which of the states is that of its last request: protocol/mpcp_queue.h. */
#include "protocol/mpcp_queue.h"

extern uint32_t plf_mpcp_states[];

static inline bool plf_is_blocked(const struct plf_task *task)
{
	uint32_t request = plf_load_acquire32(&task->request);

	return request != 0 && plf_mpcp_is_waiting(&plf_mpcp_states[request - 1]);
}

#endif
