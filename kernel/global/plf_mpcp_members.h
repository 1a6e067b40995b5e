/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_MEMBERS_H
#define PLF_GLOBAL_MEMBERS_H

/* Of protocols whose tasks wait suspended. */
#include "protocol/mpcp_queue.h"

#include <stdbool.h>
#include <stdint.h>

#define PLF_GLOBAL_SPINS       0
#define PLF_GLOBAL_MARK(user)  (UINT64_C(1) << (user) % PLF_MPCP_MOST)
#define PLF_GLOBAL_PLACE(user) ((user) / PLF_MPCP_MOST)

#define PLF_GLOBAL_TASK_MEMBERS                                                                    \
	uint32_t *request; /* the state of the one in which it blocked last; NULL: none */

#define PLF_GLOBAL_LEVELS                                                                          \
	uint8_t ready; /* at which it becomes ready: base, or in a section */                      \
	uint8_t taken; /* hardware scheduler: at which its interrupt is active */                  \
	bool goes_on;  /* of traces: it has had the core since its activation */

/* Of each level the tasks that gave way. */
#define PLF_GLOBAL_QUEUE struct plf_task *front[PLF_LEVELS];

#endif
