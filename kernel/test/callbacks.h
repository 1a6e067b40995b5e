/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CALLBACKS_H
#define PLF_TEST_CALLBACKS_H

#include "os.h"

enum { MOST_ANSWERS = 20 };

/* What a callback got of the services that return a status, in the order of the calls. */
extern StatusType answers[MOST_ANSWERS];
extern uint32_t answered;
extern uint32_t void_errors; /* calls of ErrorHook for those that return none */
extern uint32_t timed;	     /* callbacks of the timer's alarm */

#endif
