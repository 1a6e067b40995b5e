/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

/* The words of protocol/uprio_kprio.h. */
#include "../plf_top.h"
#include "protocol/uprio_kprio.h"

#define PLF_USER_MASKS_INTERRUPTS 0

struct plf_words {
	uint32_t task; /* its index */
	uint32_t uprio;
	uint32_t kprio;
	uint32_t top;	  /* extended status: 1 + the resource entered last; 0: none is held */
	uint32_t base;	  /* extended status: its priority by the description, */
	uint32_t highest; /* and the highest that it can have */
};

#include "../plf_page.h"

#endif
