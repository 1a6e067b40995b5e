/* SPDX-License-Identifier: MIT */
/*
 * Every call with wild arguments: all numbers, also numbers of no service, with each hostile value
 * in each of the three places. A call that ends FOUL, such as TerminateTask, ends only an
 * activation. The next activation continues after it. ShutdownOS is left out, because every task
 * may call it.
 */
#include "foul.h"

enum { CANARY = 0xca7a47, NUMBERS = PLF_CALLS + 8 };

volatile uint32_t faults;
volatile StatusType fault;

static volatile uint64_t secret TASK_DATA(VICTIM);
static volatile uint32_t worked;
static volatile uint32_t helped;

#define ADDRESS(object) ((uintptr_t)(object))
static volatile uint64_t target;
static const uintptr_t values[] = {
	0,
	1,
	2,
	7,
	0xff,
	0xffffffff,
	0x100000001,
	UINTPTR_MAX,
	ADDRESS(plf_tasks),
	ADDRESS(plf_tables),
	ADDRESS(plf_stack_high_VICTIM) - 64,
	ADDRESS(plf_stack_low_FOUL) - 1,
	ADDRESS(&secret),
	ADDRESS(&target),
	0x09000000,
	UINT64_C(0xffff000000000000),
};
enum { VALUES = sizeof(values) / sizeof(values[0]), ALL = NUMBERS * VALUES * VALUES * VALUES };

/* The last numbers stand for no service. */
static unsigned number_of(uint32_t attempt)
{
	static const unsigned beyond[] = { PLF_CALLS,  PLF_CALLS + 1, 0xff,	  0x100,
					   0x7fffffff, 0x80000000,    0xfffffffe, 0xffffffff };
	unsigned number = attempt / (VALUES * VALUES * VALUES);

	return number < PLF_CALLS ? number : beyond[number - PLF_CALLS];
}

static volatile uint32_t next;

TASK(FOUL)
{
	while (next < ALL) {
		uint32_t attempt = next++;
		unsigned number = number_of(attempt);

		if (number == PLF_CALL_SHUTDOWN_OS)
			continue;
		(void)plf_call3(number, values[attempt % VALUES], values[attempt / VALUES % VALUES],
				values[attempt / VALUES / VALUES % VALUES]);
		if (attempt % 61 == 0)
			break;
	}
} /* ends with all that it left open */

TASK(HELPER)
{
	helped++;
	TerminateTask();
}

TASK(VICTIM)
{
	volatile uint64_t own[16];

	secret = CANARY;
	for (unsigned i = 0; i < 16; i++)
		own[i] = CANARY + i;
	for (;;) {
		while (WaitEvent(EV) == E_OK && ClearEvent(~UINT64_C(0)) == E_OK) {
			EXPECT(GetResource(R), E_OK);
			EXPECT(secret, CANARY);
			for (unsigned i = 0; i < 16; i++)
				EXPECT(own[i], CANARY + i);
			worked++;
			EXPECT(ReleaseResource(R), E_OK);
		}
	}
}

/* WITNESS works in spite of FOUL: it activates tasks, sets events, and sets and cancels alarms. */
TASK(WITNESS)
{
	TickType ticks;

	for (uint32_t rounds = 0; next < ALL; rounds++) {
		uint32_t before = worked;
		StatusType status;

		CHECK(rounds < ALL);
		EXPECT(GetResource(R), E_OK);
		EXPECT(SetEvent(VICTIM, EV), E_OK);
		EXPECT(worked, before);
		EXPECT(ReleaseResource(R), E_OK);
		EXPECT(worked, before + 1);
		before = helped;
		EXPECT(ActivateTask(HELPER), E_OK);
		CHECK(helped > before); /* ALARM activates it, too */
		(void)CancelAlarm(SET);
		EXPECT(SetRelAlarm(SET, 1, 0), E_OK);
		EXPECT(GetAlarm(SET, &ticks), E_OK);
		before = worked;
		EXPECT(IncrementCounter(SOFT), E_OK);
		EXPECT(worked, before + 1);
		status = ActivateTask(FOUL);
		CHECK(status == E_OK || (PLF_SERVERS && status == E_OS_LIMIT)); /* out of budget */
	}
	EXPECT(faults, 0);
	ShutdownOS(E_OK);
}
