/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_ISR_RESOURCES_H
#define PLF_TEST_CORES_ISR_RESOURCES_H

#include "check.h"

enum { CORES = 2 };

/* Number of runs of each core's routine. */
extern uint32_t ran[CORES];

#endif
