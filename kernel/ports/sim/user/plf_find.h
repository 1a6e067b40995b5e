/* SPDX-License-Identifier: MIT */
#ifndef PLF_FIND_H
#define PLF_FIND_H

#include "plf_words.h"

/* In processor.c: the page of the core that executes this. */
struct plf_page *plf_page_of_core(void);

static inline struct plf_page *plf_find_page(void)
{
	return PLF_CPUS == 1 ? &plf_page : plf_page_of_core();
}

#if PLF_GLOBAL_IN_USER_MODE
#include "plf_globals.h"

/* In processor.c: the words of the task for global resources. */
struct plf_global_words *plf_global_words_of_task(unsigned task);

static inline struct plf_global_words *plf_find_global(unsigned global)
{
	return &plf_global_words_of_task(plf_find_page()->words.task)[global];
}

static inline uint64_t *plf_find_global_word(unsigned global)
{
	return plf_globals[global].words;
}
#endif

#endif
