/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

/* Interrupts are masked in a section, so there are no levels to publish. */
#include "../plf_top.h"

#define PLF_USER_MASKS_INTERRUPTS 1

struct plf_words {
	uint32_t unused; /* because C requires a member */
};

#include "../plf_page.h"

#endif
