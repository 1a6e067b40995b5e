/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

/* Resources are system calls, and a task waits while another task holds the resource. */
#include "plf_shared.h"
#include "protocol/word.h"

#define PLF_USER_MASKS_INTERRUPTS 0

struct plf_task_words {
	uint32_t top; /* 1 + the resource entered last; 0: none is held */
};

struct plf_words {
	uint32_t task; /* the index of the running task */
};

#include "plf_page_called.h"

#endif
