/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TIMING_ANSWERS_H
#define PLF_TEST_TIMING_ANSWERS_H

/* TEST_CASE of case.h: the answers. */
enum { OF_APPLICATIONS, IGNORED, TOO_EARLY };

#endif
