/* SPDX-License-Identifier: MIT */
/* The tasks that are activated, most of them on the second core. */
#include "cores.h"

/* ---- Tasks of the first core ----------------------------------------------------- */

void come_home(uint64_t at);
READ_FIRST(plf_task_HOME, come_home);

void come_home(uint64_t at)
{
	arrive(at);
	SetEvent(DRIVER, HAS_ENDED);
	TerminateTask();
}

TASK(LAST)
{
	show(&signs.last_began);
	TerminateTask();
}

/* ---- Tasks of the second core ----------------------------------------------------- */

TASK(THERE)
{
	ActivateTask(HOME);
	TerminateTask();
}

/* Checks the count: LONGER differs from THERE only by these instructions. */
TASK(LONGER)
{
	__asm__ volatile(".rept 1000\n\tnop\n\t.endr");
	ActivateTask(HOME);
	TerminateTask();
}

TASK(ENDS)
{
	show(&signs.has_acted);
	TerminateTask();
}

static void await_go(void)
{
	show(&signs.is_there);
	await(&signs.go);
}

TASK(NOTHING)
{
	await_go();
	show(&signs.has_acted);
	TerminateTask();
}

TASK(ACTIVATES)
{
	await_go();
	ActivateTask(LAST);
	show(&signs.has_acted);
	TerminateTask();
}

/* device.c shows that this task has acted. */
TASK(FAULTS)
{
	await_go();
	__asm__ volatile("udf #0");
}

TASK(BUSY)
{
	await_go();
	show(&signs.has_acted);
	TerminateTask();
}
