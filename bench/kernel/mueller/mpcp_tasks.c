/* SPDX-License-Identifier: MIT */
/*
 * The tasks that are activated: three on the first core, and two with a section on the second core.
 */
#include "cores.h"

/* ---- Tasks of the first core ------------------------------------------------------- */

NOTES_ITS_START(FIRST);
NOTES_ITS_START(LAST);

TASK(WAITER)
{
	GetMPCPResource(SHARED);
	arrive(plf_user_now_ns());
	ReleaseMPCPResource(SHARED);
	TerminateTask();
}

/* ---- Tasks of the second core ------------------------------------------------------- */

static void await_go(void)
{
	show(&signs.is_there);
	await(&signs.go);
}

TASK(THERE)
{
	GetMPCPResource(GLOBAL);
	await_go();
	ReleaseMPCPResource(GLOBAL);
	show(&signs.has_acted);
	TerminateTask();
}

TASK(THERE_TOO)
{
	GetMPCPResource(SHARED);
	await_go();
	ReleaseMPCPResource(SHARED);
	show(&signs.has_acted);
	TerminateTask();
}
