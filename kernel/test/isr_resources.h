/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_ISR_RESOURCES_H
#define PLF_TEST_ISR_RESOURCES_H

#include "check.h"

enum { OF_LOCKS = 1 << 3, OF_OTHER = 1 << 5 };

/* Actions of the routine of LOCKS. */
enum part { LOCKS_ONCE, STATUSES, MASKED, LEAVES, LEAVES_ALL };
extern enum part part;

/* Whether a task is in a section, in which no routine that uses the resource runs. */
extern bool is_inside;

extern ISRType id_in_error; /* GetISRID() of ErrorHook, at the last error */

/* The first valid GetISRID() in PostTaskHook, and the answer of a service of resources there. */
extern ISRType id_in_hook;
extern StatusType status_in_hook;

#endif
