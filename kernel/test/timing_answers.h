/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TIMING_ANSWERS_H
#define PLF_TEST_TIMING_ANSWERS_H

/* What TEST_CASE of case.h is: the answers. */
enum { OF_APPLICATIONS, IGNORED, TOO_EARLY };

#endif
