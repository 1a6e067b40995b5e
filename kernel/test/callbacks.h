/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CALLBACKS_H
#define PLF_TEST_CALLBACKS_H

#include "os.h"

enum { MOST_ANSWERS = 20 };

/* The answers of services with a status in a callback, in the order of calls. */
extern StatusType answers[MOST_ANSWERS];
extern uint32_t answered;
extern uint32_t void_errors; /* calls of ErrorHook for services without a status */
extern uint32_t timed;	     /* callbacks of the timer's alarm */

#endif
