/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SWEEP_H
#define PLF_TEST_SWEEP_H

/*
 * A scenario that interrupts sweep over, and the rules that hold whenever they come. Tasks, the
 * most urgent first: URGENT (waits for EV), HIGH (uses R5), MID (uses R3), MAIN (uses all
 * resources, runs the scenario).
 */
#include "check.h"

/* The number of times that an interrupt started the task, as the source of interrupts counts it. */
uint32_t came(TaskType task);

/* By task, the number of runs. For URGENT: came() at its last run. */
extern volatile uint32_t ran[PLF_TASKS];

/* Between two steps of the scenario: let some time pass, if instructions take no time. */
void let_time_pass(void);

/* MAIN calls this. */
void scenario(void);

#endif
