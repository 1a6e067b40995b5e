/* SPDX-License-Identifier: MIT */
/*
 * The common part of all programs. DRIVER is below all other tasks. It activates a task for each
 * procedure. So every round begins with the same ready queue, and ends when all activated tasks
 * have ended. With several cores DRIVER is on the first core.
 */
#include "measure.h"
#include "plf_words.h"
#include "samples.h"

const struct measured *current;
uint64_t begun_at;
uint64_t ended_at;
uint64_t arrived_at;
uint64_t samples[MOST_MEASURED][ROUNDS];

void nothing(void)
{
}

void arrive_and_return(uint64_t at);
READ_FIRST(arrive_at_once, arrive_and_return);

void arrive_and_return(uint64_t at)
{
	arrive(at);
}

void note_start(uint64_t at)
{
	arrive(at);
	TerminateTask();
}

static bool is_left_out(const struct measured *one)
{
	return PLF_USER_MASKS_INTERRUPTS && one->calls_in_sections;
}

static uint64_t sample(const struct measured *one)
{
	current = one;
	begun_at = 0;
	ended_at = 0;
	arrived_at = 0;
	ActivateTask(one->task);
	if (one->until)
		one->until();
	return (arrived_at ? arrived_at : ended_at) - begun_at;
}

TASK(DRIVER)
{
	for (unsigned i = 0; i < measured_count; i++)
		for (unsigned round = 0; round < ROUNDS && !is_left_out(&measured[i]); round++)
			samples[i][round] = sample(&measured[i]);
	ShutdownAllCores(E_OK);
}

TASK(BENCH)
{
	if (current->before)
		current->before();
	measure(current->run);
	if (current->after)
		current->after();
	TerminateTask();
}
