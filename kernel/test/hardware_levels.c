/* SPDX-License-Identifier: MIT */
/*
 * Under the hardware scheduler tasks, interrupts and the timer share a range of priorities. An
 * interrupt that is not above the running task, or its ceiling, waits. Activations of the same
 * priority are served in their order.
 */
#include "check.h"
#include "plf_clock.h"

enum { OF_WEAK = 1 << 5, OF_MIDDLE = 1 << 6, OF_STRONG = 1 << 7, OF_TOP = 1 << 8 };
enum { ALL = OF_WEAK | OF_MIDDLE | OF_STRONG | OF_TOP };

typedef void action(void);
static action *high, *low; /* action of the next activation of HIGH, or of LOW */

static void act(action **which)
{
	action *once = *which;

	*which = NULL;
	if (once)
		once();
}

TASK(URGENT)
{
	mark('(');
	ALLOWED(ActivateTask(TWIN));
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(TWIN));
	REFUSED(ActivateTask(TWIN), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(HIGH), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	raise_interrupts(ALL); /* one of them is above */
	mark(')');
	TerminateTask();
}

TASK(HIGH)
{
	mark('h');
	act(&high);
	mark('H');
	TerminateTask();
}

TASK(TWIN)
{
	mark('2');
	TerminateTask();
}

TASK(LOW)
{
	mark('l');
	act(&low);
	mark('L');
	TerminateTask();
}

/* The timer serves only LOW. It does not disturb this task, and the alarm stays set. */
static void let_alarm_pass(void)
{
	TickType left = 1;

	ALLOWED(SetRelAlarm(ALARM, 1000, 0));
	plf_spend(5000);
	EXPECT(GetAlarm(ALARM, &left), E_OK);
	EXPECT(left, 0);
}

static void raise_all(void)
{
	raise_interrupts(ALL);
}

/* MIDDLE is above this task, and below the ceiling. */
static void raise_in_section(void)
{
	EXPECT(GetResource(R), E_OK);
	raise_interrupts(OF_MIDDLE | OF_STRONG);
	mark('1');
	EXPECT(ReleaseResource(R), E_OK);
}

static void run(TaskType task, action *of_high, action *of_low)
{
	high = of_high;
	low = of_low;
	ALLOWED(ActivateTask(task));
}

TASK(MAIN)
{
	raise_interrupts(ALL);
	EXPECT_TRAIL("tsmhHw");
	run(HIGH, raise_all, NULL); /* HIGH's activation by MIDDLE begins after HIGH has ended */
	EXPECT_TRAIL("htsHmhHw");
	run(LOW, NULL, raise_in_section);
	EXPECT_TRAIL("ls1mhHL");
	run(HIGH, let_alarm_pass, NULL);
	EXPECT_TRAIL("hHlL");
	run(URGENT, NULL, NULL);
	EXPECT_TRAIL("(t)s2hH2mhHw");
	ShutdownOS(E_OK);
}
