/* SPDX-License-Identifier: MIT */
#ifndef PLF_FIND_H
#define PLF_FIND_H

/* The words that user code reaches, as on a port: its core's, its own, and the resource's. */
#include "plf_globals.h"
#include "plf_words.h"
#include "proof_core.h"

static inline struct plf_page *plf_find_page(void)
{
	return proof_core() == 0 ? &plf_page : &plf_other_pages[proof_core()];
}

extern struct plf_global_words proof_own[PLF_TASKS][PLF_GLOBALS];

static inline struct plf_global_words *plf_find_global(unsigned global)
{
	return &proof_own[plf_find_page()->words.task][global];
}

static inline uint64_t *plf_find_global_word(unsigned global)
{
	return plf_globals[global].words;
}

#endif
