/* SPDX-License-Identifier: MIT */
#ifndef PLF_RACE_CHECKER_H
#define PLF_RACE_CHECKER_H

#include <stdbool.h>

/*
 * A race checker must see each lock and unlock, or it reports races that do not exist. A sanitizer
 * that stands before the drop-in sees them. A sanitizer behind it, and the tools of valgrind, see
 * only calls of the C library's mutexes. So in their presence all mutexes are left to the C
 * library.
 */

/* Does ThreadSanitizer's runtime, as a shared library, stand behind the drop-in? */
bool plf_is_sanitizer_behind(void);

/* Why a race checker would not see mutexes of ours; NULL: there is none, or it sees them. */
const char *plf_why_unseen(void);

#endif
