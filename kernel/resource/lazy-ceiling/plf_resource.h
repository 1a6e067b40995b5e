/* SPDX-License-Identifier: MIT */
#ifndef PLF_RESOURCE_H
#define PLF_RESOURCE_H

#include "plf_find.h"
#include "plf_words.h"

static inline __attribute__((warn_unused_result)) plf_bound plf_enter(plf_bound ceiling)
{
	return plf_claim_enter(&plf_find_page()->words.claim, ceiling);
}

static inline __attribute__((warn_unused_result)) bool plf_leave(plf_bound before)
{
	struct plf_words *words = &plf_find_page()->words;

	return plf_claim_leave(&words->claim, &words->raised, before);
}

#include "../plf_section.h"

#endif
