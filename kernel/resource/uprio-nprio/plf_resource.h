/* SPDX-License-Identifier: MIT */
#ifndef PLF_RESOURCE_H
#define PLF_RESOURCE_H

#include "plf_find.h"
#include "plf_words.h"

static inline void plf_raise(uint32_t prio)
{
	plf_nprio_raise(&plf_find_page()->words.uprio, prio);
}

static inline bool plf_lower(uint32_t prio)
{
	struct plf_words *words = &plf_find_page()->words;

	return plf_nprio_lower(&words->uprio, &words->nprio, prio);
}

#include "../plf_section.h"

#endif
