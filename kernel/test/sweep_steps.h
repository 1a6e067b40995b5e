/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SWEEP_STEPS_H
#define PLF_TEST_SWEEP_STEPS_H

#include <stdint.h>

extern volatile uint32_t interrupts[];

#endif
