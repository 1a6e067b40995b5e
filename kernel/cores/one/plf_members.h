/* SPDX-License-Identifier: MIT */
#ifndef PLF_MEMBERS_H
#define PLF_MEMBERS_H

/* Single core: no two activities touch these members at the same time. */
#define PLF_TASK_MEMBERS                                                                           \
	uint64_t events;    /* set and not cleared */                                              \
	uint64_t waits_for; /* since its last WaitEvent; 0: it has not waited */                   \
	bool is_waiting;                                                                           \
	uint8_t room; /* for further activations */

#define PLF_CORE_MEMBERS

#endif
