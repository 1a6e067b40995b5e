/* SPDX-License-Identifier: MIT */
#ifndef PLF_BOUND_LEVELS_H
#define PLF_BOUND_LEVELS_H

/*
 * The bound of a resource, in words that user code and the kernel share: a ceiling, which is a
 * level.
 */
#include "protocol/word.h"

typedef uint32_t plf_bound;	  /* in a shared word */
typedef uint8_t plf_static_bound; /* in the table PLF_CEILINGS */

static inline plf_bound plf_load_bound(const plf_bound *word)
{
	return plf_load32(word);
}

static inline void plf_store_bound(plf_bound *word, plf_bound bound)
{
	plf_store32(word, bound);
}

#endif
