/* SPDX-License-Identifier: MIT */
/*
 * The tasks. DRIVER, below all others, has each procedure run by a task that it activates for that,
 * so every round begins with the same ready queue, and ends when all that was activated has
 * ended. Whatever a procedure activates ends at once.
 */
#include "measure.h"
#include "plf_words.h"
#include "samples.h"

uint64_t begun_at;
uint64_t ended_at;
uint64_t arrived_at;
uint64_t samples[MOST_MEASURED][ROUNDS];
static const struct measured *current;

static bool is_left_out(const struct measured *one)
{
	return PLF_USER_MASKS_INTERRUPTS && one->calls_in_sections;
}

static uint64_t sample(const struct measured *one)
{
	current = one;
	begun_at = 0;
	arrived_at = 0;
	ActivateTask(one->task);
	return (arrived_at ? arrived_at : ended_at) - begun_at;
}

TASK(DRIVER)
{
	ActivateTask(WAITER);
	for (unsigned i = 0; i < measured_count; i++)
		for (unsigned round = 0; round < ROUNDS && !is_left_out(&measured[i]); round++)
			samples[i][round] = sample(&measured[i]);
	ShutdownOS(E_OK);
}

TASK(BENCH)
{
	measure(current->run);
	TerminateTask();
}

void chain(uint64_t at);
READ_FIRST(plf_task_CHAIN, chain);

void chain(uint64_t at)
{
	if (!begun_at)
		measure(current->run);
	arrive(at);
	TerminateTask();
}

void first(uint64_t at);
READ_FIRST(plf_task_FIRST, first);

void first(uint64_t at)
{
	arrive(at);
	TerminateTask();
}

TASK(WAITER)
{
	for (;;) {
		WaitEvent(SIGNAL);
		ClearEvent(SIGNAL);
	}
}

TASK(HIGH)
{
	TerminateTask();
}

TASK(BETWEEN)
{
	TerminateTask();
}

TASK(MEDIUM)
{
	TerminateTask();
}

TASK(LOW)
{
	TerminateTask();
}
