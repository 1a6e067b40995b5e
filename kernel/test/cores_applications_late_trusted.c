/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "cores_applications_late.h"
#include "kernel/port.h"

static ApplicationStateType state_of_work(void)
{
	ApplicationStateType state = APPLICATION_ACCESSIBLE;

	EXPECT(GetApplicationState(WORK, &state), E_OK);
	return state;
}

void PostTaskHook(void)
{
	TaskType task;

	EXPECT(GetTaskID(&task), E_OK);
	if (task != SENDER)
		return;
	__atomic_store_n(&has_begun, has_begun + 1, __ATOMIC_RELEASE);
	while (state_of_work() != APPLICATION_RESTARTING)
		plf_port_wait_a_little();
	for (volatile uint32_t more = 0; more < 1000; more++)
		;
}
