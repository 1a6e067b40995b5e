/* SPDX-License-Identifier: MIT */
/*
 * Resources of interrupt routines: OSEK 2.2.3, 8.6. A task in such a section keeps out the
 * routines, and all tasks. The routines come when it has left the section, before any task.
 */
#include "isr_resources.h"
#include "plf_clock.h"
#include "plf_urgency.h"

enum part part;
bool is_inside;
ISRType id_in_error;
ISRType id_in_hook = INVALID_ISR;
StatusType status_in_hook;

static void enter(ResourceType resource)
{
	ALLOWED(GetResource(resource));
	is_inside = true;
}

static void leave(ResourceType resource)
{
	is_inside = false;
	ALLOWED(ReleaseResource(resource));
}

static void in_section(uint32_t sources)
{
	enter(R);
	if (sources)
		raise_interrupts(sources);
	mark('1');
	leave(R);
	mark('2');
}

static void kept_out(void)
{
	raise_interrupts(OF_LOCKS);
	EXPECT_TRAIL("iIu"); /* no task is inside */
	in_section(0);
	EXPECT_TRAIL("12");
	in_section(OF_LOCKS);
	EXPECT_TRAIL("1iIu2");
	in_section(OF_OTHER); /* as urgent as LOCKS */
	EXPECT_TRAIL("1o2");
	in_section(OF_LOCKS | OF_OTHER);
	EXPECT_TRAIL("1iIou2");
	in_section(0); /* no interrupt is left */
	EXPECT_TRAIL("12");
}

/* While a routine waits, the same source may come again. The controller has not taken it yet. */
static void again(void)
{
	enter(R);
	raise_interrupts(OF_LOCKS);
	raise_interrupts(OF_LOCKS);
	raise_interrupts(OF_OTHER);
	mark('1');
	leave(R);
	EXPECT_TRAIL(PLF_TASKS_ARE_INTERRUPTS ? "1iIou" : "1iIiIouu");
}

static void nested(void)
{
	ALLOWED(GetResource(OF_TASKS));
	enter(R);
	raise_interrupts(OF_LOCKS);
	mark('1');
	ALLOWED(GetResource(S));
	mark('2');
	ALLOWED(ReleaseResource(S));
	mark('3');
	leave(R);
	mark('4');
	raise_interrupts(OF_LOCKS); /* OF_TASKS keeps out no routine */
	ALLOWED(ReleaseResource(OF_TASKS));
	EXPECT_TRAIL("123iIu4iIu");
	ALLOWED(GetResource(RES_SCHEDULER));
	raise_interrupts(OF_LOCKS);
	mark('1');
	enter(S);
	raise_interrupts(OF_LOCKS);
	mark('2');
	leave(S);
	mark('3');
	ALLOWED(ReleaseResource(RES_SCHEDULER));
	EXPECT_TRAIL("iI12iI3uu");
}

/* Services inside, except services that end the section: they decide, and nothing changes. */
static void services_inside(void)
{
	EventMaskType events;

	enter(R);
	ALLOWED(ActivateTask(URGENT));
	mark('1');
	raise_interrupts(OF_LOCKS);
	ALLOWED(ActivateTask(URGENT));
	mark('2');
	REFUSED(GetEvent(URGENT, &events), E_OS_ACCESS, PLF_CALL_GET_EVENT);
	EXPECT(id_in_error, INVALID_ISR); /* the routine waits */
	leave(R);
	EXPECT_TRAIL("12iIuuu");
}

/* The same with interrupts held back by services. */
static void masked(void)
{
	enter(R);
	SuspendOSInterrupts();
	ResumeOSInterrupts();
	raise_interrupts(OF_LOCKS);
	mark('1');
	DisableAllInterrupts();
	mark('2');
	EnableAllInterrupts();
	mark('3');
	leave(R);
	EXPECT_TRAIL("123iIu");
	in_section(OF_OTHER);
	DisableAllInterrupts(); /* the task's mask, as before any routine */
	raise_interrupts(OF_OTHER);
	mark('3');
	EnableAllInterrupts();
	EXPECT_TRAIL("1o23o");
}

static void ends(void)
{
	ALLOWED(ActivateTask(SLOPPY));
	mark('.');
	EXPECT_TRAIL(PLF_EXTENDED_STATUS ? "seiIu." : "siIu.");
	EXPECT(id_in_hook, INVALID_ISR); /* no routine runs in a hook: it waits, or has ended */
	EXPECT(status_in_hook, E_OS_CALLEVEL);
	ALLOWED(ActivateTask(NON));
	EXPECT_TRAIL("n1iI2Nu");
}

static void statuses(void)
{
	part = STATUSES;
	raise_interrupts(OF_LOCKS);
	EXPECT_TRAIL("iIu");
	part = MASKED;
	raise_interrupts(OF_LOCKS);
	EXPECT_TRAIL("iIu");
}

static void left_open(void)
{
	part = LEAVES;
	raise_interrupts(OF_LOCKS);
	test_refused(E_OS_RESOURCE, E_OS_RESOURCE, OSServiceId_ReleaseResource, __FILE__, __LINE__);
	part = LEAVES_ALL;
	raise_interrupts(OF_LOCKS);
	EXPECT(test.errors, 2); /* the error of interrupts comes first */
	EXPECT(test.error, E_OS_RESOURCE);
	test.errors = 0;
	part = LOCKS_ONCE;
	raise_interrupts(OF_LOCKS);
	EXPECT(test.errors, 0);
	EXPECT_TRAIL("iIuiIuiIu");
	in_section(OF_LOCKS);
	EXPECT_TRAIL("1iIu2");
}

/* Interrupts at any instruction of sections and around them; on sim when time passes. */
static void anywhere(void)
{
	for (TickType delay = 100; delay < 900; delay++) {
		ALLOWED(SetRelAlarm(RAISES, delay, 0));
		for (unsigned i = 0; i < 3; i++) {
			enter(R);
			plf_spend(50);
			leave(R);
		}
		plf_spend(10000);
		EXPECT_TRAIL("iIu");
	}
}

TASK(URGENT)
{
	mark('u');
	TerminateTask();
}

/* SLOPPY ends in a section, or is refused that. */
TASK(SLOPPY)
{
	enter(R);
	raise_interrupts(OF_LOCKS);
	mark('s');
	is_inside = false;
	if (PLF_EXTENDED_STATUS)
		REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	else
		TerminateTask();
	mark('e');
	leave(R);
	TerminateTask();
}

TASK(NON)
{
	mark('n');
	in_section(OF_LOCKS);
	mark('N');
	TerminateTask();
}

TASK(MAIN)
{
	kept_out();
	again();
	nested();
	services_inside();
	masked();
	ends();
	statuses();
	left_open();
	anywhere();
	ShutdownOS(E_OK);
}
