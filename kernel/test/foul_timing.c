/* SPDX-License-Identifier: MIT */
/*
 * A task writes any values into all words of the shared page, and enters and leaves sections, until
 * its budget ends. Each round ends a nanosecond later in its work. It gets no more than its budget,
 * and leaves no effect on later tasks.
 */
#include "plf_clock.h"
#include "plf_find.h"
#include "timing.h"

enum { ROUNDS = 500, OWN_NS = 10 * US, SLACK = 1500 };

volatile uint32_t faults;
volatile StatusType fault;
volatile TaskType faulted;
volatile uint64_t fault_ns;

static volatile uint32_t round_now;
static volatile uint64_t began_ns;
static volatile uint32_t tops;

TASK(TOP)
{
	tops++;
	TerminateTask();
}

TASK(HIGH)
{
	EXPECT(plf_find_page()->words.task, HIGH);
	ALLOWED(GetResource(SHARED));
	ALLOWED(ReleaseResource(SHARED));
	TerminateTask();
}

static uint64_t garbage(void)
{
	static uint64_t state TASK_DATA(FOUL) = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 20;
}

/* In every second round FOUL holds interrupts back. */
TASK(FOUL)
{
	began_ns = plf_user_now_ns();
	plf_spend(100 + round_now % 100);
	if (round_now % 2)
		DisableAllInterrupts();
	for (;;) {
		volatile uint32_t *words = (volatile uint32_t *)&plf_find_page()->words;

		(void)GetResource(SHARED);
		for (uint32_t i = 0; i < sizeof(plf_find_page()->words) / sizeof(*words); i++)
			words[i] = (uint32_t)garbage();
		(void)ReleaseResource(SHARED);
	}
}

TASK(MAIN)
{
	for (round_now = 0; round_now < ROUNDS; round_now++) {
		TickType at = 10000 + 10 * (round_now % 200);

		EXPECT(SetRelAlarm(EACH, at, 0), E_OK);
		EXPECT(ActivateTask(FOUL), E_OK);
		FAULTED(1, E_OS_PROTECTION_TIME, FOUL);
		CHECK(fault_ns - began_ns < OWN_NS + SLACK);
		test.errors = 0; /* errors of FOUL */
		EXPECT(plf_find_page()->words.task, MAIN);
		ALLOWED(ActivateTask(HIGH));
		ALLOWED(GetResource(SHARED));
		ALLOWED(ReleaseResource(SHARED));
		plf_spend(5 * US);
		EXPECT(tops, round_now + 1);
	}
	ShutdownOS(E_OK);
}
