/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_CLAIM_H
#define PLF_WORDS_CLAIM_H

/* The words of protocol/lazy_claim.h and protocol/lazy_floor.h. */
#include "plf_shared.h"

#define PLF_USER_MASKS_INTERRUPTS 0

struct plf_words {
	uint32_t task; /* its index */
	plf_bound claim;
	plf_bound raised;
	struct plf_checks checks;
};

/* Kept by the kernel while a task does not run; its urgency is in struct plf_task. */
struct plf_task_words {
	plf_bound claim;
	plf_bound raised;
	uint32_t top;
};

#include "plf_page.h"

#endif
