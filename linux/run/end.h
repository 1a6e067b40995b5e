/* SPDX-License-Identifier: MIT */
#ifndef RUN_END_H
#define RUN_END_H

/* How a supervised child ended, in words. */
#include "supervise.h"

enum { END_TEXT = 128 };

/* NULL: the child came to its end. */
const char *describe_end(const struct end *end, char text[END_TEXT]);

/* An addition if another program starved the child; otherwise "". */
const char *starvation_of(const struct end *end);

/* Did the child refuse to start, with a message? */
__attribute__((warn_unused_result)) bool was_refused(const struct end *end);

#endif
