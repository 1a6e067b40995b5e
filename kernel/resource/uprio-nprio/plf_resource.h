/* SPDX-License-Identifier: MIT */
#ifndef PLF_RESOURCE_H
#define PLF_RESOURCE_H

#include "plf_find.h"
#include "plf_words.h"

static inline __attribute__((warn_unused_result)) plf_bound plf_enter(plf_bound ceiling)
{
	uint32_t *uprio = &plf_find_page()->words.uprio;
	uint32_t before = plf_load32(uprio);

	plf_nprio_raise(uprio, before > ceiling ? before : ceiling);
	return before;
}

static inline __attribute__((warn_unused_result)) bool plf_leave(plf_bound before)
{
	struct plf_words *words = &plf_find_page()->words;

	return plf_nprio_lower(&words->uprio, &words->nprio, before);
}

#include "../plf_section.h"

#endif
