/* SPDX-License-Identifier: MIT */
#ifndef PLF_RESOURCE_H
#define PLF_RESOURCE_H

#include "os_calls.h"
#include "plf_call.h"
#include "plf_find.h"
#include "plf_words.h"

static inline __attribute__((warn_unused_result)) plf_bound plf_enter(plf_bound ceiling)
{
	struct plf_words *words = &plf_find_page()->words;
	plf_bound before = plf_claim_enter(&words->claim, ceiling);

	if (plf_claim_entered_simply(&words->raised, before))
		plf_call0(PLF_CALL_PREEMPT);
	return before;
}

static inline __attribute__((warn_unused_result)) bool plf_leave(plf_bound before)
{
	struct plf_words *words = &plf_find_page()->words;

	return plf_claim_leave_simply(&words->claim, &words->raised, before);
}

#include "../plf_section.h"

#endif
