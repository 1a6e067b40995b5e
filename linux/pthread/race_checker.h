/* SPDX-License-Identifier: MIT */
#ifndef PLF_RACE_CHECKER_H
#define PLF_RACE_CHECKER_H

#include <stdbool.h>

/*
 * A race checker must see each lock and unlock, or it reports races that are none. A sanitizer
 * that stands before us sees them. A sanitizer behind us, and the tools of valgrind, see only calls
 * of the C library's mutexes: then all mutexes are left to it.
 */

/* ThreadSanitizer's runtime, as a shared library. */
bool plf_is_sanitizer_behind(void);

/* Why a race checker would not see mutexes of ours; NULL: there is none, or it sees them. */
const char *plf_why_unseen(void);

#endif
