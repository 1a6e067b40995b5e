/* SPDX-License-Identifier: MIT */
/*
 * All levels of the interrupt controller are active at once: each task is preempted by the next
 * more urgent task. The last task activates a task as often as it may.
 */
#include "check.h"

enum { TOP = 31, MOST = 255 };

static uint32_t begun[TOP + 1], ended[TOP + 1];

static void climb(uint32_t level, TaskType next)
{
	begun[level]++;
	ALLOWED(ActivateTask(next));
	EXPECT(begun[level + 1], ended[level + 1]); /* it preempted this task, and has ended */
	ended[level]++;
	TerminateTask();
}

TASK(T03)
{
	climb(3, T04);
}

TASK(T04)
{
	climb(4, T05);
}

TASK(T05)
{
	climb(5, T06);
}

TASK(T06)
{
	climb(6, T07);
}

TASK(T07)
{
	climb(7, T08);
}

TASK(T08)
{
	climb(8, T09);
}

TASK(T09)
{
	climb(9, T10);
}

TASK(T10)
{
	climb(10, T11);
}

TASK(T11)
{
	climb(11, T12);
}

TASK(T12)
{
	climb(12, T13);
}

TASK(T13)
{
	climb(13, T14);
}

TASK(T14)
{
	climb(14, T15);
}

TASK(T15)
{
	climb(15, T16);
}

TASK(T16)
{
	climb(16, T17);
}

TASK(T17)
{
	climb(17, T18);
}

TASK(T18)
{
	climb(18, T19);
}

TASK(T19)
{
	climb(19, T20);
}

TASK(T20)
{
	climb(20, T21);
}

TASK(T21)
{
	climb(21, T22);
}

TASK(T22)
{
	climb(22, T23);
}

TASK(T23)
{
	climb(23, T24);
}

TASK(T24)
{
	climb(24, T25);
}

TASK(T25)
{
	climb(25, T26);
}

TASK(T26)
{
	climb(26, T27);
}

TASK(T27)
{
	climb(27, T28);
}

TASK(T28)
{
	climb(28, T29);
}

TASK(T29)
{
	climb(29, T30);
}

TASK(T30)
{
	climb(30, T31);
}

TASK(T31)
{
	begun[TOP]++;
	for (uint32_t level = 3; level < TOP; level++)
		EXPECT(begun[level] - ended[level], 1);
	for (uint32_t count = 0; count < MOST; count++)
		ALLOWED(ActivateTask(T02));
	REFUSED(ActivateTask(T02), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	EXPECT(begun[2], 0);
	ended[TOP]++;
	TerminateTask();
}

TASK(T02)
{
	EXPECT(ended[3], 1);
	begun[2]++;
	TerminateTask();
}

TASK(T01)
{
	ALLOWED(ActivateTask(T03));
	EXPECT(begun[2], MOST);
	ShutdownOS(E_OK);
}
