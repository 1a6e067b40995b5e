/* SPDX-License-Identifier: MIT */
/*
 * The deepest nesting of calls. Each application has a place in it. At the deepest point a task
 * preempts, and calls as deep.
 */
#include "check.h"

enum { DEEP = 8 };

static uint32_t preempts;

/* The values add up to the path of applications. */
static uint64_t deeper(ApplicationType application, StatusType status, uint64_t path,
		       uint64_t value)
{
	EXPECT(status, E_OK);
	EXPECT(GetCurrentApplicationID(), application);
	EXPECT(GetApplicationID(), A0);
	return value + path;
}

#define CALLS(depth, next)                                                                         \
	uint64_t FUNCTION_F##depth(uint64_t a, uint64_t b, uint64_t c, uint64_t d)                 \
	{                                                                                          \
		uint64_t value = 0;                                                                \
		StatusType status = Call_F##next(a + 1, b, c, d, &value);                          \
                                                                                                   \
		EXPECT(a, depth);                                                                  \
		return deeper(A##depth, status, depth, value);                                     \
	}

CALLS(1, 2)
CALLS(2, 3)
CALLS(3, 4)
CALLS(4, 5)
CALLS(5, 6)
CALLS(6, 7)
CALLS(7, 8)

uint64_t FUNCTION_F8(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t value;

	(void)b;
	EXPECT(a, DEEP);
	if (preempts) {
		preempts = 0;
		EXPECT(ActivateTask(HIGH), E_OK);
		EXPECT_TRAIL("h");
	}
	EXPECT(Call_F2(0, 0, 0, 0, &value), E_OS_ACCESS);
	EXPECT(Call_F8(0, 0, 0, 0, &value), E_OS_ACCESS);
	return deeper(A8, E_OK, c + d, 0);
}

TASK(HIGH)
{
	uint64_t value = 0;

	EXPECT(Call_F1(1, 0, 10, 20, &value), E_OK);
	EXPECT(value, 1 + 2 + 3 + 4 + 5 + 6 + 7 + 30);
	mark('h');
	TerminateTask();
}

TASK(MAIN)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 2; i++) {
		preempts = 1;
		EXPECT(Call_F1(1, 0, 100, 200, &value), E_OK);
		EXPECT(value, 1 + 2 + 3 + 4 + 5 + 6 + 7 + 300);
	}
	preempts = 0;
	EXPECT(Call_F2(2, 0, 1, 1, &value), E_OK);
	EXPECT(value, 2 + 3 + 4 + 5 + 6 + 7 + 2);
	EXPECT(Call_F3(3, 0, 1, 1, &value), E_OS_ACCESS);
	EXPECT(GetCurrentApplicationID(), A0);
	ShutdownOS(E_OK);
}
