/* SPDX-License-Identifier: MIT */
#ifndef PLF_BOUND_H
#define PLF_BOUND_H

/* The bound of a resource, in words that user code and the kernel share: a floor in nanoseconds. */
#include "protocol/word.h"

typedef uint64_t plf_bound;	   /* in a shared word */
typedef uint64_t plf_static_bound; /* in the table PLF_CEILINGS */

static inline plf_bound plf_load_bound(const plf_bound *word)
{
	return plf_load64(word);
}

static inline void plf_store_bound(plf_bound *word, plf_bound bound)
{
	plf_store64(word, bound);
}

#endif
