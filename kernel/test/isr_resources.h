/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_ISR_RESOURCES_H
#define PLF_TEST_ISR_RESOURCES_H

#include "check.h"

enum { OF_LOCKS = 1 << 3, OF_OTHER = 1 << 5 };

/* What the routine of LOCKS does. */
enum part { LOCKS_ONCE, STATUSES, MASKED, LEAVES, LEAVES_ALL };
extern enum part part;

/* What tasks are in: no routine that uses it runs meanwhile. */
extern bool is_inside;

extern ISRType id_in_error; /* GetISRID() of ErrorHook, at the last error */

/* GetISRID() of PostTaskHook, the first that was one; what a service of resources said there. */
extern ISRType id_in_hook;
extern StatusType status_in_hook;

#endif
