/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "case.h"
#include "check.h"
#include "shutdown.h"

static bool is_ending;

/* The last to be called. It cannot end what is ending, nor go on. */
void ShutdownHook(StatusType status)
{
	TaskType task;

	is_ending = true;
	ShutdownOS(1);
	if (GetTaskID(&task) != E_OS_CALLEVEL || ActivateTask(MAIN) != E_OS_CALLEVEL)
		plf_port_end(2);
	if (status != (TEST_CASE == IN_TASK ? 0 : 20 + TEST_CASE))
		plf_port_end(3);
}

void StartupHook(void)
{
	if (TEST_CASE == IN_STARTUP)
		ShutdownOS(21);
}

/* Here it is not allowed (OSEK 2.2.3, 12.3). */
void PreTaskHook(void)
{
	ShutdownOS(4);
}

void PostTaskHook(void)
{
	ShutdownOS(5);
}

void ErrorHook(StatusType status)
{
	if (is_ending)
		ShutdownOS(6);
	if (status == E_OS_CALLEVEL)
		return;
	if (TEST_CASE == IN_ERROR)
		ShutdownOS(22);
	plf_port_raise(5);
}

ISR(COMES)
{
	ShutdownOS(23);
}
