/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

/* The words of protocol/uprio_nprio.h. */
#include "../plf_top.h"
#include "protocol/uprio_nprio.h"

#define PLF_USER_MASKS_INTERRUPTS 0

struct plf_words {
	uint32_t task; /* its index */
	uint32_t uprio;
	uint32_t nprio;
	struct plf_checks checks;
};

#include "../plf_page.h"

#endif
