/* SPDX-License-Identifier: MIT */
/* The simulated processor raises interrupts before any instruction, at the steps of sweep.py. */
#include "sweep_steps.h"
#include "plf_clock.h"
#include "sweep.h"

volatile uint32_t interrupts[PLF_TASKS];

uint32_t came(TaskType task)
{
	return interrupts[task];
}

void let_time_pass(void)
{
	plf_spend(1000);
}

TASK(MAIN)
{
	EXPECT(ActivateTask(URGENT), E_OK);
	scenario();
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	ShutdownOS(E_OK);
}
