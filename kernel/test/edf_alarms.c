/* SPDX-License-Identifier: MIT */
/*
 * Deadlines of tasks that alarms make ready. They count from the expiry, also if interrupts were
 * held back meanwhile. Times are in units of 100 us, the ticks of UNITS. A and W have 10 from their
 * arrivals, B has 15 and C 20. DRIVER precedes all other tasks, and holds interrupts back.
 */
#include "check.h"
#include "plf_clock.h"

enum { UNIT_NS = 100000 };

enum { OF_COMES = 1 << 5 };

TASK(A)
{
	mark('a');
	TerminateTask();
}

TASK(B)
{
	mark('b');
	TerminateTask();
}

TASK(C)
{
	mark('c');
	TerminateTask();
}

TASK(W)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('w');
	}
}

/* Begin half a unit after a tick, so that calls arrive between two ticks. */
static void begin(void)
{
	uint64_t now_ns = plf_user_now_ns();

	plf_spend(UNIT_NS * (now_ns / UNIT_NS + 1) + UNIT_NS / 2 - now_ns);
}

/* An interrupt that came meanwhile is handled at the end. */
static void hold_back(unsigned units)
{
	SuspendAllInterrupts();
	plf_spend((uint64_t)units * UNIT_NS);
	ResumeAllInterrupts();
}

/* Waits, so that the other tasks run. */
static void expect_trail_of_others(void)
{
	ALLOWED(WaitEvent(TICK));
	ALLOWED(ClearEvent(TICK));
}

/* B arrives at 1, until 16. The call at 8.5 gives C until 28.5. A would be until 18.5. */
static void one(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_B, 1, 0));
	hold_back(8);
	ALLOWED(ActivateTask(A));
	ALLOWED(ActivateTask(C));
	expect_trail_of_others();
	EXPECT_TRAIL("bac");
}

/*
 * A at 7 until 17, W at 3 until 13, B at 1 until 16. A single interrupt handles all three, with
 * their separate times.
 */
static void several(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_A, 7, 0));
	ALLOWED(SetRelAlarm(FOR_B, 1, 0));
	ALLOWED(SetRelAlarm(FOR_W, 3, 0));
	hold_back(9);
	expect_trail_of_others();
	EXPECT_TRAIL("wba");
}

/* Equal deadlines of the same tick are served in the order in which the alarms were set. */
static void equal(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_W, 2, 0));
	ALLOWED(SetRelAlarm(FOR_A, 2, 0));
	hold_back(3);
	expect_trail_of_others();
	EXPECT_TRAIL("wa");
	begin();
	ALLOWED(SetRelAlarm(FOR_A, 2, 0));
	ALLOWED(SetRelAlarm(FOR_W, 2, 0));
	hold_back(3);
	expect_trail_of_others();
	EXPECT_TRAIL("aw");
}

/* A at 1, 4, 7 and 10 until 11, 14, 17 and 20. B until 15.5, from the call at 0.5. */
static void cyclic(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_A, 1, 3));
	ALLOWED(ActivateTask(B));
	hold_back(11);
	ALLOWED(CancelAlarm(FOR_A));
	expect_trail_of_others();
	EXPECT_TRAIL("aabaa");
}

/* A from the call, at 9.5 until 19.5, is not before W from the alarm at 8. */
static void call_meanwhile(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_W, 8, 0));
	SuspendAllInterrupts();
	plf_spend(9 * UNIT_NS);
	if (!PLF_EXTENDED_STATUS)
		ALLOWED(ActivateTask(A));
	ResumeAllInterrupts();
	if (PLF_EXTENDED_STATUS)
		ALLOWED(ActivateTask(A));
	expect_trail_of_others();
	EXPECT_TRAIL("wa");
}

/* A by the alarm at 7 until 17, but not before A by the call at 8.5. W from 8 until 18. */
static void same_task(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_A, 7, 0));
	ALLOWED(SetRelAlarm(FOR_W, 8, 0));
	SuspendAllInterrupts();
	plf_spend(8 * UNIT_NS);
	ALLOWED(ActivateTask(A));
	ResumeAllInterrupts();
	expect_trail_of_others();
	EXPECT_TRAIL("waa");
}

/* An interrupt and a software counter have only the time of their handling. */
static void handled(void)
{
	begin();
	ALLOWED(SetRelAlarm(FOR_B, 5, 0)); /* until 20 */
	SuspendAllInterrupts();
	raise_interrupts(OF_COMES);
	plf_spend(10 * UNIT_NS);
	ResumeAllInterrupts(); /* A at 10.5 until 20.5 */
	expect_trail_of_others();
	EXPECT_TRAIL("ba");
	begin();
	ALLOWED(SetRelAlarm(FOR_W, 7, 0)); /* until 17 */
	ALLOWED(SetRelAlarm(SOFT_A, 1, 0));
	hold_back(8);
	ALLOWED(IncrementCounter(SOFT)); /* at 8.5 */
	expect_trail_of_others();
	EXPECT_TRAIL("wa");
}

/*
 * By way of a software counter: A counts from the time at which the alarm of time was due, 4 until
 * 14.
 */
static void in_a_row(void)
{
	begin();
	ALLOWED(SetRelAlarm(TO_SOFT, 4, 0));
	ALLOWED(SetRelAlarm(SOFT_A, 1, 0));
	ALLOWED(SetRelAlarm(FOR_W, 5, 0)); /* until 15 */
	ALLOWED(SetRelAlarm(FOR_B, 1, 0)); /* until 16 */
	hold_back(8);
	expect_trail_of_others();
	EXPECT_TRAIL("awb");
}

TASK(DRIVER)
{
	expect_trail_of_others();
	one();
	several();
	equal();
	cyclic();
	call_meanwhile();
	if (!PLF_EXTENDED_STATUS)
		same_task();
	handled();
	in_a_row();
	ShutdownOS(E_OK);
}

TASK(RUN)
{
	for (;;)
		ALLOWED(SetEvent(DRIVER, TICK));
}
