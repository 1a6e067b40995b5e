/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

/* Resources are system calls. User code reads the running task's index. */
#include "../plf_top.h"
#include "protocol/word.h"

#define PLF_USER_MASKS_INTERRUPTS 0

struct plf_words {
	uint32_t task; /* its index */
};

#include "../plf_page_called.h"

#endif
