/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBALS_H
#define PLF_GLOBALS_H

/*
 * The words of global resources, those of each on a page of their own: the tables of its declared
 * users map it, and those of no other task.
 */
#include "system.h"

#include <stdint.h>

enum { PLF_GLOBAL_PAGE = 4096 };

struct plf_global_page {
	uint64_t words[1 + PLF_CPUS]; /* the first one is all, but for a queue by core */
} __attribute__((aligned(PLF_GLOBAL_PAGE)));

extern struct plf_global_page plf_globals[PLF_GLOBALS];

#endif
