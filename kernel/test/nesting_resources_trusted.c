/* SPDX-License-Identifier: MIT */
#include "errors.h"
#include "mask_steps.h"
#include "nesting_resources.h"

void ErrorHook(StatusType status)
{
	note_error(status);
}

static unsigned source_of(char letter)
{
	switch (letter) {
	case 'w':
		return 3;
	case 'm':
		return 9;
	case 's':
		return 5;
	default:
		return 7;
	}
}

static void do_step(char letter)
{
	switch (letter) {
	case 'r':
		EXPECT(GetResource(R), E_OK);
		break;
	case 'R':
		EXPECT(ReleaseResource(R), E_OK);
		break;
	case 'z':
		EXPECT(GetResource(S), E_OK);
		break;
	case 'Z':
		EXPECT(ReleaseResource(S), E_OK);
		break;
	case 'h':
		EXPECT(ActivateTask(HIGH), E_OK);
		break;
	case '.':
		mark('.');
		break;
	default:
		plf_port_raise(source_of(letter));
	}
}

static void routine(ISRType isr, char letter)
{
	const char *steps = steps_of[isr];

	steps_of[isr] = NULL;
	mark(letter);
	for (; steps && *steps; steps++) {
		if (!mask_step(*steps))
			do_step(*steps);
		EXPECT(GetISRID(), isr);
	}
	EXPECT(GetApplicationID(), isr == MIDDLE ? B : A);
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

ISR(STRONG)
{
	routine(STRONG, 's');
}

ISR(FIRST)
{
	mark('f');
	mark('F');
}
