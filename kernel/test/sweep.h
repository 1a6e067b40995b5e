/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SWEEP_H
#define PLF_TEST_SWEEP_H

/*
 * A scenario that interrupts sweep over, and the rules that hold whenever they come. Tasks, the
 * most urgent first: URGENT (waits for EV), HIGH (uses R5), MID (uses R3), MAIN (uses all, runs
 * it).
 */
#include "check.h"

/* How often each of them was started by an interrupt, as the source of interrupts sees it. */
uint32_t came(TaskType task);

/* How often each ran; of URGENT, which of the times that it was woken for. */
extern volatile uint32_t ran[PLF_TASKS];

/* Between two steps of the scenario: where instructions take no time, some passes here. */
void let_time_pass(void);

/* In MAIN. */
void scenario(void);

#endif
