/* SPDX-License-Identifier: MIT */
/* The tasks of all drawn systems: each activation plays a script. */
#include "plf_clock.h"

#include "steps.h"

const volatile struct program program = { .fuel = 1 };
struct history history;

static void play(enum place place)
{
	struct script script;

	note(NOTE_BEGIN, place, 0, E_OK, 0, 0);
	script = next_script(place);
	for (unsigned i = 0; i < script.count; i++) {
		struct step step = step_at(script.begin + i);

		if (!burns())
			ShutdownOS(E_OK);
		if (step.code == STEP_SPEND)
			plf_spend(step.first);
		else
			execute(place, &step);
	}
	note(NOTE_RETURNS, place, 0, E_OK, 0, 0);
	if (place == PLACE_TASK_LAST)
		ShutdownOS(E_OK);
}

TASK(T0)
{
	play(PLACE_TASK_0);
}

TASK(T1)
{
	play(PLACE_TASK_1);
}

TASK(T2)
{
	play(PLACE_TASK_2);
}

TASK(T3)
{
	play(PLACE_TASK_3);
}

TASK(T4)
{
	play(PLACE_TASK_4);
}

TASK(T5)
{
	play(PLACE_TASK_5);
}

TASK(LAST)
{
	play(PLACE_TASK_LAST);
}
