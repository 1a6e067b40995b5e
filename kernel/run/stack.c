/* SPDX-License-Identifier: MIT */
/*
 * The bytes of its stack that each task used. All stacks are filled before the first task begins.
 * At the end, the filling below the deepest write is counted. The time grows with the size of the
 * stacks, but it is not part of the run.
 */
#include "cores.h"
#include "recording.h"

enum { FILLING = 0xa5 };

static uint8_t *low(unsigned task)
{
	return (uint8_t *)plf_task_config[task].stack_low;
}

static uint32_t size(unsigned task)
{
	return (uint32_t)(plf_task_config[task].stack_high - plf_task_config[task].stack_low);
}

static void fill(unsigned task)
{
	for (uint32_t offset = 0; offset < size(task); offset++)
		low(task)[offset] = FILLING;
}

void plf_stacks_fill(const struct plf_core *core)
{
	for (unsigned task = 0; task < PLF_TASKS; task++)
		if (plf_is_own(core, plf_task_config[task].core))
			fill(task);
}

uint32_t plf_stack_used(unsigned task)
{
	uint32_t untouched = 0;

	while (untouched < size(task) && low(task)[untouched] == FILLING)
		untouched++;
	return size(task) - untouched;
}
