/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARED_H
#define PLF_SHARED_H

/* What the protocols' words have in common. */
#include "plf_bound.h"
#include "system.h"

enum { PLF_PAGE_SIZE = 4096 };

/* Of the holder of a resource. */
struct plf_resource_words {
	plf_bound saved; /* what it had before */
	uint32_t below;	 /* extended status: what `top` was before */
};

#endif
