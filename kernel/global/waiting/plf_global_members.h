/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_MEMBERS_H
#define PLF_GLOBAL_MEMBERS_H

/* No global resources, but a task is suspended when a resource of its core is taken: waiting.c. */
#include <stdbool.h>
#include <stdint.h>

#define PLF_GLOBAL_IN_USER_MODE 0
#define PLF_GLOBAL_SPINS	0
#define PLF_GLOBAL_MARK(user)	(UINT64_C(1) << (user))
#define PLF_GLOBAL_PLACE(user)	0

#define PLF_GLOBAL_TASK_MEMBERS                                                                    \
	struct plf_task *behind; /* in the queue of a resource: the task after it */               \
	uint8_t request;	 /* 1 + the resource for which it waits; 0: for none */

#define PLF_GLOBAL_LEVELS                                                                          \
	uint8_t ready; /* level in the ready queue: base, or a level to resume at */               \
	uint8_t taken; /* of the hardware scheduler, which these protocols lack */                 \
	bool goes_on;  /* traces: the activation has had the core */

/* By level: the tasks that gave way, were raised to it, or were handed a resource. */
#define PLF_GLOBAL_QUEUE struct plf_task *front[PLF_LEVELS];

#endif
