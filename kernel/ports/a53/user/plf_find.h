/* SPDX-License-Identifier: MIT */
#ifndef PLF_FIND_H
#define PLF_FIND_H

#include "plf_words.h"

/*
 * The page of the core, which has the same address on all cores (memory.c). It begins a page, so a
 * single instruction forms the address.
 */
static inline struct plf_page *plf_find_page(void)
{
	struct plf_page *page;

	__asm__("adrp %0, plf_page" : "=r"(page));
	return page;
}

#if PLF_GLOBAL_IN_USER_MODE
#include "plf_globals.h"

static inline struct plf_global_words *plf_find_global(unsigned global)
{
	return &plf_find_page()->globals[global];
}

/* plf_globals begins a page, too. */
static inline uint64_t *plf_find_global_word(unsigned global)
{
	struct plf_global_page *pages;

	__asm__("adrp %0, plf_globals" : "=r"(pages));
	return pages[global].words;
}
#endif

#endif
