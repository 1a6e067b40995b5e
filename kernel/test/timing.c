/* SPDX-License-Identifier: MIT */
/*
 * Budgets of execution: AUTOSAR OS 4.x, Section 7.7.2. Only the task's own time counts. A budget
 * ends when it is used up, whatever the task does, and each execution begins with a full budget.
 */
#include "timing.h"
#include "plf_clock.h"

/* On sim the kernel takes no time, nor do hooks and handlers. */
enum { ON_BOARD = PLF_DRAW_NS > 0, SLACK = ON_BOARD * 1500 };

volatile uint32_t faults;
volatile StatusType fault;
volatile TaskType faulted;
volatile uint64_t fault_ns;

static void (*volatile play)(void); /* action of FOUL */
static volatile uint64_t began_ns;
static volatile uint64_t upper_ns; /* run time of UPPER */

/* As exact as the board allows. */
static void test_time(uint64_t found_ns, uint64_t expected_ns, const char *file, uint32_t line)
{
	if (found_ns + SLACK < expected_ns || found_ns > expected_ns + SLACK)
		test_equal(found_ns, expected_ns, file, line);
}

#define EXPECT_TIME(found, expected) test_time(found, expected, __FILE__, __LINE__)

static void go_on_for_ever(void)
{
	for (;;)
		plf_spend(7 * US);
}

TASK(UPPER)
{
	mark('u');
	ALLOWED(GetResource(R));
	plf_spend(upper_ns);
	ALLOWED(ReleaseResource(R));
	mark('/');
	TerminateTask();
}

TASK(FOUL)
{
	mark('f');
	began_ns = plf_user_now_ns();
	play();
	mark('.');
	TerminateTask();
}

/*
 * FOUL plays the part. Its budget ends when it has had its core for 100 us, and was without it for
 * away_ns.
 */
static void overruns(void (*part)(void), uint64_t away_ns, const char *file, uint32_t line)
{
	play = part;
	test_allowed(ActivateTask(FOUL), file, line);
	test_faulted(1, E_OS_PROTECTION_TIME, FOUL, file, line);
	test_time(fault_ns - began_ns, 100 * US + away_ns, file, line);
}

#define OVERRUNS(part, away_ns) overruns(part, away_ns, __FILE__, __LINE__)

static void keeps_within(void (*part)(void), const char *file, uint32_t line)
{
	play = part;
	test_allowed(ActivateTask(FOUL), file, line);
	test_equal(faults, 0, file, line);
}

#define KEEPS_WITHIN(part) keeps_within(part, __FILE__, __LINE__)

/* ---- Actions of the task ---------------------------------------------------------- */

/* A task completes its work at the instant of the end. On a board it needs some slack. */
static void to_the_end(void)
{
	plf_spend(100 * US - SLACK);
}

static void beyond_the_end(void)
{
	plf_spend(100 * US);
	plf_spend(1 + SLACK);
}

static void disabled(void)
{
	DisableAllInterrupts();
	go_on_for_ever();
}

static void suspended_in_section(void)
{
	ALLOWED(GetResource(R));
	ALLOWED(ActivateTask(UPPER));
	SuspendOSInterrupts();
	SuspendAllInterrupts();
	go_on_for_ever();
}

/* Calls count as the task's time, too. */
static void calling(void)
{
	TaskType task;

	for (;;) {
		ALLOWED(GetTaskID(&task));
		plf_spend(US);
	}
}

static void whatever_it_does(void)
{
	KEEPS_WITHIN(to_the_end);
	EXPECT_TRAIL("f.");
	OVERRUNS(beyond_the_end, 0);
	OVERRUNS(go_on_for_ever, 0);
	OVERRUNS(disabled, 0);
	OVERRUNS(calling, 0);
	EXPECT_TRAIL("ffff");
	OVERRUNS(suspended_in_section, 0);
	EXPECT_TRAIL("fu/"); /* its resources are free */
	KEEPS_WITHIN(to_the_end);
	EXPECT_TRAIL("f.");
}

/* ---- Time of others ------------------------------------------------------------------ */

static void activates(void)
{
	plf_spend(50 * US);
	ALLOWED(ActivateTask(UPPER));
	ALLOWED(ActivateTask(UPPER));
	go_on_for_ever();
}

static void is_interrupted(void)
{
	ALLOWED(SetRelAlarm(PREEMPT, 20, 0));
	go_on_for_ever();
}

/* The alarm comes at the instant of the end, which is first. */
static void is_interrupted_at_the_end(void)
{
	ALLOWED(SetRelAlarm(PREEMPT, 100, 0));
	go_on_for_ever();
}

/* On a board LONG takes 30 us in the kernel's mode. */
static void has_handlers(void)
{
	plf_spend(10 * US);
	for (uint32_t count = 0; count < 3; count++) {
		raise_interrupts(1 << 5);
		plf_spend(US);
	}
	go_on_for_ever();
}

static void what_is_not_its_own(void)
{
	upper_ns = 300 * US;
	OVERRUNS(activates, 600 * US + ON_BOARD * 4 * SWITCH_NS);
	EXPECT_TRAIL("fu/u/");
	OVERRUNS(is_interrupted, 300 * US + ON_BOARD * 2 * SWITCH_NS);
	EXPECT_TRAIL("fu/");
	if (!ON_BOARD) { /* a board cannot hit the instant */
		OVERRUNS(is_interrupted_at_the_end, 0);
		plf_spend(2 * US);
		EXPECT_TRAIL("fu/");
	}
	OVERRUNS(has_handlers, ON_BOARD * 3 * LONG_NS);
	EXPECT_TRAIL("flll");
	upper_ns = US;
}

/* ---- Each execution ------------------------------------------------------------------- */

static void most_of_it(void)
{
	plf_spend(80 * US);
}

static void most_of_it_twice(void)
{
	static bool again;

	again = !again;
	if (again)
		ALLOWED(ActivateTask(FOUL));
	plf_spend(80 * US);
}

static void chains_itself(void)
{
	static uint32_t rounds;

	plf_spend(80 * US);
	if (rounds++ < 3)
		(void)ChainTask(FOUL);
}

static void each_activation(void)
{
	KEEPS_WITHIN(most_of_it);
	KEEPS_WITHIN(most_of_it);
	EXPECT_TRAIL("f.f.");
	KEEPS_WITHIN(most_of_it_twice);
	EXPECT_TRAIL("f.f.");
	KEEPS_WITHIN(chains_itself);
	EXPECT_TRAIL("ffff.");
	OVERRUNS(go_on_for_ever, 0); /* after an ended execution the budget is full, too */
	KEEPS_WITHIN(to_the_end);
	EXPECT_TRAIL("ff.");
}

/* WAITER waits, and has a full budget after that. If the event is already set, it does not wait. */
TASK(WAITER)
{
	for (uint32_t round = 0; round < 3; round++) {
		plf_spend(40 * US);
		ALLOWED(SetRelAlarm(WAKE, 10, 0));
		ALLOWED(WaitEvent(GO));
		mark('w');
		ALLOWED(ClearEvent(GO));
	}
	plf_spend(20 * US);
	ALLOWED(SetEvent(WAITER, STOP));
	ALLOWED(WaitEvent(STOP));
	began_ns = plf_user_now_ns();
	go_on_for_ever();
}

static void await(TickType micros)
{
	ALLOWED(SetRelAlarm(DONE, micros, 0));
	ALLOWED(WaitEvent(OVER));
	ALLOWED(ClearEvent(OVER));
}

static void each_wait(void)
{
	ALLOWED(ActivateTask(WAITER));
	await(1000);
	FAULTED(1, E_OS_PROTECTION_TIME, WAITER);
	EXPECT_TIME(fault_ns - began_ns, 30 * US);
	EXPECT_TRAIL("www");
}

/* ---- Alarms beside it ------------------------------------------------------------------ */

static void disabled_for_a_while(void)
{
	ALLOWED(SetRelAlarm(PREEMPT, 20, 0));
	DisableAllInterrupts();
	plf_spend(50 * US);
	mark('d');
	EnableAllInterrupts();
	plf_spend(US); /* on sim the timer comes while a task spends time */
	mark('e');
}

static void disabled_with_alarm(void)
{
	ALLOWED(SetRelAlarm(PREEMPT, 20, 0));
	disabled();
}

/* In standard status the task may then activate another task, which lets alarms through. */
static void disabled_and_preempted(void)
{
	TickType ticks;

	ALLOWED(SetRelAlarm(DONE, 20, 0));
	DisableAllInterrupts();
	ALLOWED(ActivateTask(UPPER));
	REFUSED(GetAlarm(DONE, &ticks), E_OS_NOFUNC, OSServiceId_GetAlarm); /* it has come */
	go_on_for_ever();
}

static void alarms_beside_it(void)
{
	KEEPS_WITHIN(disabled_for_a_while);
	EXPECT_TRAIL("fdu/e.");
	OVERRUNS(disabled_with_alarm, 0);
	plf_spend(US);
	EXPECT_TRAIL("fu/");
	upper_ns = 30 * US;
	if (!PLF_EXTENDED_STATUS) {
		OVERRUNS(disabled_and_preempted, 30 * US + ON_BOARD * 2 * SWITCH_NS);
		EXPECT_TRAIL("fu/");
		ALLOWED(ClearEvent(OVER));
	}
	play = go_on_for_ever;
	ALLOWED(SetRelAlarm(LATER, 50, 0));
	ALLOWED(SetRelAlarm(QUIET, 30, 0));
	await(500); /* no task runs before it, after it, nor by QUIET */
	FAULTED(1, E_OS_PROTECTION_TIME, FOUL);
	play = disabled;
	ALLOWED(SetRelAlarm(LATER, 50, 0));
	await(120); /* while the task holds the alarm back */
	FAULTED(1, E_OS_PROTECTION_TIME, FOUL);
	EXPECT_TIME(plf_user_now_ns() - began_ns, 100 * US + ON_BOARD * SWITCH_NS);
	EXPECT_TRAIL("ff");
}

TASK(MAIN)
{
	plf_spend(10 * US); /* no budget has begun yet */
	upper_ns = US;
	whatever_it_does();
	what_is_not_its_own();
	each_activation();
	each_wait();
	alarms_beside_it();
	ShutdownOS(E_OK);
}
