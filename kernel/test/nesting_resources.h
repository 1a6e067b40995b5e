/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_NESTING_RESOURCES_H
#define PLF_TEST_NESTING_RESOURCES_H

/*
 * The action of a routine in its next run, a letter for each step.
 *
 *  w m s f      raise WEAK, MIDDLE, STRONG or FIRST
 *  o O          hold interrupts back, and let them come again
 *  r R z Z      lock and release R, and S
 *  h            activate HIGH
 *  .            only a mark
 */
#include "check.h"

enum { OF_WEAK = 1 << 3, OF_STRONG = 1 << 5, OF_FIRST = 1 << 7, OF_MIDDLE = 1 << 9 };

extern const char *volatile steps_of[PLF_ISRS];

#endif
