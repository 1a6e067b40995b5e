/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_END_H
#define PLF_TEST_APPLICATIONS_END_H

#include "check.h"

/* Number of times that PostTaskHook of LOW found HIGH still waiting. */
extern uint32_t left_as_it_was;

#endif
