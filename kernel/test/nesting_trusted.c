/* SPDX-License-Identifier: MIT */
#include "errors.h"
#include "mask_steps.h"
#include "nested_registers.h"
#include "nesting.h"

enum { ROOM = 7000 }; /* of the 8 KiB of stack of each routine */

/* The interrupts that a routine raises in a service. */
static void raise_both(void)
{
	plf_port_raise(9);
	plf_port_raise(5);
}

ALARMCALLBACK(RAISE_BOTH)
{
	raise_both();
	mark('c');
}

ALARMCALLBACK(RAISE)
{
	mark('r');
	plf_port_raise(3);
}

void ErrorHook(StatusType status)
{
	bool shall_raise = test.raise;

	note_error(status);
	id_in_error = GetISRID();
	if (shall_raise && id_in_error != INVALID_ISR)
		mark('e');
}

void PostTaskHook(void)
{
	EXPECT(GetISRID(), INVALID_ISR);
	if (!hook_raises)
		return;
	hook_raises = false;
	plf_port_raise(3);
	mark('p');
}

static void let_expire(AlarmType alarm)
{
	ALLOWED(SetRelAlarm(alarm, 1, 0));
	ALLOWED(IncrementCounter(SOFT));
}

/* At each level the running task is the interrupted task. */
static void activate(TaskType other)
{
	TaskType task = LOW;

	ALLOWED(GetTaskID(&task));
	EXPECT(task, interrupted);
	ALLOWED(ActivateTask(other));
}

static void raise_in_error_hook(void)
{
	test.raise = OF_MIDDLE | OF_STRONG;
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
}

static unsigned source_of(char letter)
{
	switch (letter) {
	case 'w':
		return 3;
	case 'm':
		return 9;
	case 't':
		return 2;
	case 's':
		return 5;
	default:
		return 7;
	}
}

static void call(char letter)
{
	switch (letter) {
	case 'h':
		activate(HIGH);
		break;
	case 'u':
		ALLOWED(SetEvent(URGENT, EV));
		break;
	case 'l':
		let_expire(ACTIVATES);
		break;
	case 'c':
		let_expire(CALLS);
		break;
	case 'e':
		raise_in_error_hook();
		break;
	case 'x':
		REFUSED(ActivateTask(INVALID_TASK), E_OS_ID, OSServiceId_ActivateTask);
		break;
	case 'y':
		activate(LAST);
		break;
	case 'q':
		ShutdownOS(E_OK);
		break;
	case 'k':
		expect_registers_kept(9);
		break;
	case 'z':
		use_registers();
		break;
	case '.':
		mark('.');
		break;
	default:
		plf_port_raise(source_of(letter));
	}
}

static const char *next_steps_of(ISRType isr)
{
	const char *steps = steps_of[isr];

	steps_of[isr] = NULL;
	return steps ? steps : "";
}

static void routine(ISRType isr, char letter)
{
	volatile char room[ROOM];

	mark(letter);
	for (unsigned i = 0; i < ROOM; i++)
		room[i] = letter;
	for (const char *step = next_steps_of(isr); *step; step++) {
		if (!mask_step(*step))
			call(*step);
		EXPECT(GetISRID(), isr);
	}
	for (unsigned i = 0; i < ROOM; i++)
		EXPECT(room[i], letter);
	mark((char)(letter + 'A' - 'a'));
}

ISR(WEAK)
{
	routine(WEAK, 'w');
}

ISR(MIDDLE)
{
	routine(MIDDLE, 'm');
}

ISR(TWIN)
{
	routine(TWIN, 't');
}

ISR(STRONG)
{
	routine(STRONG, 's');
}

/* Category 1 does not get what it asks for itself. */
ISR(FIRST)
{
	volatile char room[ROOM];

	mark('f');
	EXPECT(GetISRID(), INVALID_ISR);
	for (unsigned i = 0; i < ROOM; i++)
		room[i] = 'f';
	for (const char *step = next_steps_of(FIRST); *step; step++) {
		if (*step == 'x')
			REFUSED(ActivateTask(HIGH), E_OS_CALLEVEL, OSServiceId_ActivateTask);
		else if (!mask_step(*step))
			call(*step);
	}
	for (unsigned i = 0; i < ROOM; i++)
		EXPECT(room[i], 'f');
	mark('F');
}
