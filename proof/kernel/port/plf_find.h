/* SPDX-License-Identifier: MIT */
#ifndef PLF_FIND_H
#define PLF_FIND_H

#include "plf_words.h"

static inline struct plf_page *plf_find_page(void)
{
	return &plf_page;
}

#endif
