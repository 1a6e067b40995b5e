/* SPDX-License-Identifier: MIT */
#ifndef RUN_END_H
#define RUN_END_H

/* How a supervised child ended, in words. */
#include "supervise.h"

enum { END_TEXT = 128 };

/* NULL: it came to its end. */
const char *describe_end(const struct end *end, char text[END_TEXT]);

/* What to add where another program starved it, or "". */
const char *starvation_of(const struct end *end);

/* Whether it refused to start, and said why. */
__attribute__((warn_unused_result)) bool was_refused(const struct end *end);

#endif
