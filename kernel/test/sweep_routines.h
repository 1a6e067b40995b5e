/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SWEEP_ROUTINES_H
#define PLF_TEST_SWEEP_ROUTINES_H

#include "sweep_steps.h"

#include <stdbool.h>

/* Plain data of WITH_ROUTINE: whether a task is in its section. */
extern volatile bool is_inside;

#endif
