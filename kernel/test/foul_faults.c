/* SPDX-License-Identifier: MIT */
/*
 * A task that does something forbidden is killed, once for each activation. The status names the
 * fault. The resource that the task held is free, and other tasks continue unharmed.
 */
#include "foul_faults.h"

enum { SECRET = 0x5ec4e7 };

volatile uint32_t faults;
volatile StatusType fault;
volatile uint64_t secret TASK_DATA(VICTIM);

static void (*volatile attempted)(void);
static volatile bool survived;
static volatile uint32_t worked;

TASK(VICTIM)
{
	volatile uint64_t own[32];

	secret = SECRET;
	for (unsigned i = 0; i < 32; i++)
		own[i] = SECRET + i;
	for (;;) {
		(void)WaitEvent(EV);
		(void)ClearEvent(EV);
		EXPECT(GetResource(R), E_OK);
		EXPECT(secret, SECRET);
		for (unsigned i = 0; i < 32; i++)
			EXPECT(own[i], SECRET + i);
		worked++;
		EXPECT(ReleaseResource(R), E_OK);
	}
}

TASK(FOUL)
{
	(void)GetResource(R);
	attempted();
	survived = true;
	(void)ReleaseResource(R);
	TerminateTask();
}

static void try(const struct attempt *attempt)
{
	uint32_t before = faults;

	test.marks = 0;
	for (const char *letter = attempt->name; *letter; letter++)
		mark(*letter); /* for the report of a failure */
	attempted = attempt->run;
	EXPECT(ActivateTask(FOUL), E_OK);
	CHECK(!survived);
	EXPECT(faults, before + 1);
	EXPECT(fault, attempt->fault);
	before = worked;
	EXPECT(SetEvent(VICTIM, EV), E_OK);
	EXPECT(worked, before + 1);
}

TASK(WITNESS)
{
	for (const struct attempt *attempt = memory_attempts; attempt->run; attempt++)
		try(attempt);
	for (const struct attempt *attempt = other_attempts; attempt->run; attempt++)
		try(attempt);
	ShutdownOS(E_OK);
}
