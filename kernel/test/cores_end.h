/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_END_H
#define PLF_TEST_CORES_END_H

#include <stdint.h>

/* TEST_CASE: the way in which it ends. */
enum { EACH, WITH_ERROR, ALL_AT_ONCE, BY_FAULT };

extern uint32_t has_ended[3]; /* ShutdownHook has run on that core */

#endif
