/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_MEMBERS_H
#define PLF_GLOBAL_MEMBERS_H

/* Protocols whose tasks wait suspended. */
#include "protocol/mpcp_queue.h"

#include <stdbool.h>
#include <stdint.h>

#define PLF_GLOBAL_SPINS       0
#define PLF_GLOBAL_MARK(user)  (UINT64_C(1) << (user) % PLF_MPCP_MOST)
#define PLF_GLOBAL_PLACE(user) ((user) / PLF_MPCP_MOST)

#define PLF_GLOBAL_TASK_MEMBERS                                                                    \
	uint32_t *request; /* state of the request in which it blocked last; NULL: none */

#define PLF_GLOBAL_LEVELS                                                                          \
	uint8_t ready; /* level at which it is ready: base, or the ceiling */                      \
	uint8_t taken; /* hardware scheduler: level of its interrupt if active */                  \
	bool goes_on;  /* traces: the activation has had the core */

/* By level: the tasks that gave way. */
#define PLF_GLOBAL_QUEUE struct plf_task *front[PLF_LEVELS];

#endif
