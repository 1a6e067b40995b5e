/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBALS_H
#define PLF_GLOBALS_H

/*
 * The words of global resources. Each resource has a page, which only its declared users have in
 * their page tables.
 */
#include "system.h"

#include <stdint.h>

enum { PLF_GLOBAL_PAGE = 4096 };

struct plf_global_page {
	uint64_t words[1 + PLF_CPUS]; /* a queue by core uses all, each other queue words[0] */
} __attribute__((aligned(PLF_GLOBAL_PAGE)));

extern struct plf_global_page plf_globals[PLF_GLOBALS];

#endif
