/* SPDX-License-Identifier: MIT */
/* The tasks and alarms of autostart, and their order. All tasks end, and the system continues. */
#include "check.h"
#include "plf_urgency.h"

TASK(FIRST)
{
	mark('1');
	ChainTask(CHAINED);
}

TASK(CHAINED)
{
	mark('c');
	TerminateTask();
}

TASK(SECOND)
{
	mark('2');
	TerminateTask();
}

TASK(THIRD)
{
	mark('3');
	TerminateTask();
}

TASK(FOURTH)
{
	mark('4');
	TerminateTask();
}

TASK(ALARMED)
{
	mark('a');
	TerminateTask();
}

TASK(NOT)
{
	mark('-');
	TerminateTask();
}

TASK(END)
{
	EXPECT_TRAIL(PLF_TASKS_ARE_INTERRUPTS ? "Si<1<c<2<3<4<a<" : "S<i1<c<2<3<4<a<");
	ShutdownOS(E_OK);
}
