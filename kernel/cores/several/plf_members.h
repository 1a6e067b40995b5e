/* SPDX-License-Identifier: MIT */
#ifndef PLF_MEMBERS_H
#define PLF_MEMBERS_H

/* Several cores: other cores touch only single words of a task. */
#include "protocol/event_word.h"
#include "protocol/inbox.h"

#define PLF_TASK_MEMBERS                                                                           \
	uint64_t event_word; /* protocol/event_word.h */                                           \
	uint32_t room;	     /* for further activations, of a task without events */               \
	uint8_t core;	     /* index of its core */

#define PLF_CORE_MEMBERS                                                                           \
	uint8_t index;                                                                             \
	struct plf_inbox inbox; /* tasks that other cores activated or woke: 1 + index */

#endif
