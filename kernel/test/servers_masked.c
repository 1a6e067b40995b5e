/* SPDX-License-Identifier: MIT */
/*
 * A task that holds interrupts back, or never leaves its section, cannot keep its server's budget
 * from ending. The other server has its time. Events for the task's server wait until the task lets
 * interrupts through, also over several periods.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, MS = 1000 * US, PERIODS = 5, SLACK = 20 * US };

static volatile uint32_t probes;
static volatile uint64_t latest_ns; /* the latest probe, after the begin of a period */
static volatile uint64_t zero_ns;
static volatile TaskType gives = INVALID_TASK;	    /* activates that task, once */
static volatile TaskType gives_then = INVALID_TASK; /* and this task a period later */

TASK(FIRST)
{
	mark('f');
	TerminateTask();
}

TASK(UPPER)
{
	mark('u');
	TerminateTask();
}

TASK(GIVEN)
{
	mark('g');
	TerminateTask();
}

/* A task of the less urgent server. It begins when the budget of the other server is used up. */
TASK(PROBE)
{
	uint64_t late_ns = (plf_user_now_ns() - zero_ns) % MS;

	probes++;
	if (late_ns > latest_ns)
		latest_ns = late_ns;
	if (gives != INVALID_TASK)
		ALLOWED(ActivateTask(gives));
	gives = gives_then;
	gives_then = INVALID_TASK;
	TerminateTask();
}

/* Work for some periods, from any point of a period on. */
static void work(unsigned periods)
{
	plf_spend((uint64_t)periods * 200 * US);
}

static void probes_came(void)
{
	CHECK(probes >= PERIODS - 1);
	CHECK(latest_ns <= 200 * US + SLACK);
	probes = 0;
}

static void masked(void)
{
	ALLOWED(SetRelAlarm(OWN, 300, 0));
	DisableAllInterrupts();
	gives = GIVEN;
	work(PERIODS);
	probes_came();
	mark('m');
	EnableAllInterrupts();
	plf_spend(US); /* on sim the timer comes while a task spends time */
	mark('e');
	EXPECT_TRAIL("muge");
}

/* The same without an alarm. */
static void given_to_a_masked_one(void)
{
	DisableAllInterrupts();
	gives = GIVEN;
	work(PERIODS);
	mark('m');
	EnableAllInterrupts();
	plf_spend(US);
	mark('e');
	EXPECT_TRAIL("mge");
}

/* Another server activates a user of the resource: under EDF it arrives then. */
static void given_in_a_section(void)
{
	ALLOWED(GetResource(R));
	gives = UPPER;
	work(PERIODS);
	mark('s');
	ALLOWED(ReleaseResource(R));
	mark('r');
	EXPECT_TRAIL("sur");
}

/*
 * Both: the task lets interrupts through before it leaves the section. Before that the kernel
 * decides against the tasks that were given meanwhile, with the times at which they were given.
 */
static void given_to_a_masked_one_in_a_section(void)
{
	ALLOWED(GetResource(R));
	DisableAllInterrupts();
	gives = UPPER;
	work(PERIODS);
	if (PLF_EXTENDED_STATUS)
		REFUSED(ActivateTask(GIVEN), E_OS_DISABLEDINT, PLF_CALL_ACTIVATE_TASK);
	else
		ALLOWED(ActivateTask(GIVEN));
	EnableAllInterrupts();
	plf_spend(US);
	mark('s');
	ALLOWED(ReleaseResource(R));
	mark('r');
	EXPECT_TRAIL(PLF_EXTENDED_STATUS ? "sur" : "sugr");
}

/* The task lets interrupts through after both tasks were given, a period apart. */
static void given_in_a_masked_section(TaskType first, TaskType then, const char *trail)
{
	ALLOWED(GetResource(R));
	DisableAllInterrupts();
	gives = first;
	gives_then = then;
	work(PERIODS);
	EnableAllInterrupts();
	plf_spend(US);
	mark('s');
	ALLOWED(ReleaseResource(R));
	mark('r');
	EXPECT_TRAIL(trail);
}

/* The claim of the section counts from the first task's time, under EDF. */
static void given_two_in_a_section(void)
{
	given_in_a_masked_section(UPPER, GIVEN, "sugr");
}

/*
 * FIRST is given more than 50 us after the request. An eager floor counts from the request, so
 * FIRST has the later deadline. A lazy floor counts from the instant at which FIRST is given. See
 * floors.c.
 */
#if defined(PLF_LEVELS) || defined(PLF_LAZY_FLOOR_H)
#define GIVEN_ABOVE "fsr"
#else
#define GIVEN_ABOVE "sfr"
#endif

/* FIRST is above the section, whatever was given before. */
static void given_above_a_section(void)
{
	given_in_a_masked_section(FIRST, INVALID_TASK, GIVEN_ABOVE);
}

/* The same, right after the server gets the core for a task that was given to it. */
static void given_twice(void)
{
	gives = GIVEN;
	while (test.marks == 0)
		plf_spend(US);
	EXPECT_TRAIL("g");
	given_above_a_section();
}

static void in_a_section(void)
{
	ALLOWED(SetRelAlarm(OWN, 300, 0));
	ALLOWED(GetResource(R));
	work(PERIODS);
	probes_came();
	mark('s');
	ALLOWED(ReleaseResource(R));
	mark('r');
	EXPECT_TRAIL("sur");
}

TASK(MAIN)
{
	zero_ns = plf_user_now_ns();
	work(1);
	in_a_section();
	masked();
	given_to_a_masked_one();
	given_in_a_section();
	given_twice();
	given_to_a_masked_one_in_a_section();
	given_two_in_a_section();
	given_above_a_section();
	in_a_section();
	ShutdownOS(E_OK);
}
