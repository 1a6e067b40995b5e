/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_NESTING_H
#define PLF_TEST_NESTING_H

/*
 * The action of each interrupt's routine in its next run, a letter for each step. After that it has
 * no action.
 *
 *  w m t s f      raise WEAK, MIDDLE, TWIN, STRONG or FIRST
 *  d D a A o O    see mask_steps.h
 *  h u l          activate HIGH, set the event of URGENT, let an alarm activate LOW
 *  c e            let a callback, or ErrorHook, raise STRONG and MIDDLE
 *  x              a service that is refused
 *  k z            raise MIDDLE, which finds registers in use; use them all
 *  y q            activate LAST; end the system
 *  .              only a mark
 */
#include "check.h"

enum {
	OF_TWIN = 1 << 2,
	OF_WEAK = 1 << 3,
	OF_STRONG = 1 << 5,
	OF_FIRST = 1 << 7,
	OF_MIDDLE = 1 << 9,
};

extern const char *volatile steps_of[PLF_ISRS];

extern ISRType id_in_error;  /* GetISRID() of ErrorHook, at the last error */
extern bool hook_raises;     /* the next PostTaskHook raises WEAK */
extern TaskType interrupted; /* INVALID_TASK: no task runs */

#endif
