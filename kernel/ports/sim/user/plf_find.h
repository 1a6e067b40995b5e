/* SPDX-License-Identifier: MIT */
#ifndef PLF_FIND_H
#define PLF_FIND_H

#include "plf_words.h"

/* In processor.c: that of the core that executes this. */
struct plf_page *plf_page_of_core(void);

static inline struct plf_page *plf_find_page(void)
{
	return PLF_CPUS == 1 ? &plf_page : plf_page_of_core();
}

#endif
