/* SPDX-License-Identifier: MIT */

/*
 * The part of shipped.h that does not depend on the scheduler. The scheduler's shipped.c defines
 * of_urgency(), which turns a model's urgency into a configuration. It or the port's
 * configuration.h defines `slots`, the storage of the queue outside of struct plf_core. The
 * latter also defines PROOF_KEPT, the field of a task with its urgency.
 */
#include <string.h>

struct plf_core plf_cores[1];
struct plf_task plf_tasks[PLF_TASKS];
struct plf_page plf_page;

static struct plf_task_config configs[PLF_TASKS];

enum { MOST_TASKS = 4 };

struct saved {
	struct plf_core core;
	struct plf_task tasks[MOST_TASKS];
	__typeof__(slots) slots;
};
_Static_assert(sizeof(struct saved) <= SHIPPED_MOST, "it fits");

void shipped_begin(const uint64_t *urgencies, unsigned count)
{
	plf_cores[0].words = &plf_page.words;
	plf_prepare_queue(plf_cores);
	for (unsigned i = 0; i < count; i++) {
		struct plf_task *task = &plf_tasks[i];

		configs[i].urgency = of_urgency(urgencies[i]);
		task->config = &configs[i];
		task->index = (uint8_t)i;
		task->most = 1;
		plf_prepare_urgency(task);
	}
}

void shipped_save(void *to)
{
	struct saved saved = { .core = plf_cores[0] };

	memcpy(saved.tasks, plf_tasks, sizeof(saved.tasks));
	memcpy(saved.slots, slots, sizeof(slots));
	memcpy(to, &saved, sizeof(saved));
}

void shipped_restore(const void *from)
{
	struct saved saved;

	memcpy(&saved, from, sizeof(saved));
	plf_cores[0] = saved.core;
	memcpy(plf_tasks, saved.tasks, sizeof(saved.tasks));
	memcpy(slots, saved.slots, sizeof(slots));
}

void shipped_ready(unsigned task, uint64_t arrival)
{
	plf_arrived(plf_cores, arrival);
	plf_make_ready(plf_cores, &plf_tasks[task]);
}

void shipped_decides(uint64_t urgency)
{
	plf_cores[0].running->PROOF_KEPT = (__typeof__(plf_tasks->PROOF_KEPT))urgency;
	plf_preempt_if_due(plf_cores);
}

void shipped_dispatches(void)
{
	plf_cores[0].running = NULL;
	plf_dispatch(plf_cores);
}

unsigned shipped_running(uint64_t *urgency)
{
	const struct plf_task *task = plf_cores[0].running;

	if (task == NULL)
		return SHIPPED_NONE;
	*urgency = task->PROOF_KEPT;
	return task->index;
}
