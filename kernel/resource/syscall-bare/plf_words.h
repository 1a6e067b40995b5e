/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

/* Resources are system calls. User code reads nothing about the running task. */
#include "../plf_top.h"
#include "protocol/word.h"

#define PLF_USER_MASKS_INTERRUPTS 0

struct plf_words {
	uint32_t unused; /* because C requires a member */
};

#include "../plf_page_called.h"

#endif
