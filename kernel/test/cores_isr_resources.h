/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_ISR_RESOURCES_H
#define PLF_TEST_CORES_ISR_RESOURCES_H

#include "check.h"

enum { CORES = 2 };

/* How often the routine of each core has run. */
extern uint32_t ran[CORES];

#endif
