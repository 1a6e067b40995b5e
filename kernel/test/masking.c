/* SPDX-License-Identifier: MIT */
/*
 * Interrupts held back by the three pairs of services, nested, by a single task. In extended status
 * all other services are refused meanwhile (AUTOSAR, SWS_Os_00093).
 */
#include "check.h"
#include "mask_steps.h"
#include "plf_clock.h"
#include "plf_urgency.h"

enum { OF_COMES = 1 << 5 };

/* A step of a scenario: a letter of mask_steps.h, or `!`, which raises the interrupt. */
static void step(char letter)
{
	if (!mask_step(letter))
		raise_interrupts(OF_COMES);
	mark(letter);
}

static void run(const char *steps)
{
	while (*steps)
		step(*steps++);
}

static void nest(void)
{
	run("!");
	EXPECT_TRAIL("i!");
	run("d!D"); /* raised twice before it comes, an interrupt comes once */
	EXPECT_TRAIL("d!iD");
	run("a!!aA!A");
	EXPECT_TRAIL("a!!aA!iA");
	run("oo!oOO!O");
	EXPECT_TRAIL("oo!oOO!iO");
	run("aod!DOA");
	EXPECT_TRAIL("aod!DOiA");
	run("ad!oADO");
	EXPECT_TRAIL("ad!oADiO");
	run("ddd!D"); /* these do not nest */
	EXPECT_TRAIL("ddd!iD");
	run("AODAO!"); /* an end without a begin does nothing */
	EXPECT_TRAIL("AODAOi!");
}

TASK(HIGH)
{
	mark('h');
	raise_interrupts(OF_COMES); /* this task does not hold it back */
	TerminateTask();
}

/* Each activation begins with interrupts let through, whatever the previous activation left. */
TASK(LEAVES)
{
	run("!aA!ado");
	TerminateTask();
}

/* The end of an activation lets interrupts through. */
TASK(LOW)
{
	EXPECT_TRAIL("i");
	raise_interrupts(OF_COMES);
	EXPECT_TRAIL("i");
	ShutdownOS(E_OK);
}

/* Alarms of the timer come as late as other interrupts. */
static void alarm(void)
{
	ALLOWED(SetRelAlarm(ALARM, 1000, 0));
	SuspendOSInterrupts();
	plf_spend(2000);
	mark('1');
	ResumeOSInterrupts();
	mark('2');
	EXPECT_TRAIL("1hi2");
}

/*
 * Standard status: a section that ends meanwhile lets tasks through that it kept out, and nothing
 * else. If tasks are interrupts, they are held back, too.
 */
static void release(void)
{
	ALLOWED(GetResource(R));
	ALLOWED(ActivateTask(HIGH));
	raise_interrupts(OF_COMES);
	SuspendAllInterrupts();
	mark('1');
	EXPECT(ReleaseResource(R), E_OK);
	mark('2');
	ResumeAllInterrupts();
	EXPECT_TRAIL(PLF_TASKS_ARE_INTERRUPTS ? "i12hi" : "i1hi2");
}

#define HELD_BACK(call, service) REFUSED(call, E_OS_DISABLEDINT, PLF_CALL_##service)

static void refuse(void)
{
	EventMaskType events;
	TaskStateType state;
	TickType ticks;
	AlarmBaseType base;
	TaskType task;

	HELD_BACK(ActivateTask(HIGH), ACTIVATE_TASK);
	HELD_BACK(ActivateTask(INVALID_TASK), ACTIVATE_TASK); /* whatever other error there is */
	HELD_BACK(GetTaskID(NULL), GET_TASK_ID);
	HELD_BACK(TerminateTask(), TERMINATE_TASK);
	HELD_BACK(ChainTask(HIGH), CHAIN_TASK);
	HELD_BACK(Schedule(), SCHEDULE);
	HELD_BACK(GetTaskID(&task), GET_TASK_ID);
	HELD_BACK(GetTaskState(HIGH, &state), GET_TASK_STATE);
	HELD_BACK(GetResource(R), GET_RESOURCE);
	HELD_BACK(ReleaseResource(R), RELEASE_RESOURCE);
	HELD_BACK(SetEvent(MAIN, EV), SET_EVENT);
	HELD_BACK(ClearEvent(EV), CLEAR_EVENT);
	HELD_BACK(GetEvent(MAIN, &events), GET_EVENT);
	HELD_BACK(WaitEvent(EV), WAIT_EVENT);
	HELD_BACK(GetAlarmBase(ALARM, &base), GET_ALARM_BASE);
	HELD_BACK(GetAlarm(ALARM, &ticks), GET_ALARM);
	HELD_BACK(SetRelAlarm(ALARM, 1, 0), SET_REL_ALARM);
	HELD_BACK(SetAbsAlarm(ALARM, 1, 0), SET_ABS_ALARM);
	HELD_BACK(CancelAlarm(ALARM), CANCEL_ALARM);
	HELD_BACK(IncrementCounter(SOFT), INCREMENT_COUNTER);
}

static void refuse_in_each(void)
{
	DisableAllInterrupts();
	refuse();
	EnableAllInterrupts();
	SuspendAllInterrupts();
	refuse();
	ResumeAllInterrupts();
	SuspendOSInterrupts();
	refuse();
	ResumeOSInterrupts();
	ALLOWED(SetEvent(MAIN, EV));
}

/*
 * Standard status: another task can be interrupted, and the mask comes back with its task. If tasks
 * are interrupts, the other task is held back, too.
 */
static void switch_masked(void)
{
	SuspendAllInterrupts();
	raise_interrupts(OF_COMES);
	mark('1');
	ALLOWED(ActivateTask(HIGH));
	mark('2');
	raise_interrupts(OF_COMES);
	mark('3');
	ResumeAllInterrupts();
	EXPECT_TRAIL(PLF_TASKS_ARE_INTERRUPTS ? "123ihi" : "1ihi23i");
}

static void begins_anew(void)
{
	for (int times = 0; times < 2; times++) {
		ALLOWED(ActivateTask(LEAVES));
		EXPECT_TRAIL("i!aAi!ado");
	}
}

TASK(MAIN)
{
	ALLOWED(ActivateTask(LOW));
	if (PLF_EXTENDED_STATUS) {
		refuse_in_each();
		test.errors = 0;
		raise_interrupts(OF_COMES);
		TerminateTask();
	}
	release();
	nest();
	alarm();
	switch_masked();
	begins_anew();
	SuspendOSInterrupts();
	DisableAllInterrupts();
	raise_interrupts(OF_COMES);
	TerminateTask();
}
