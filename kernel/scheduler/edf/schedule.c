/* SPDX-License-Identifier: MIT */
#include "plf_schedule.h"

/* The kernel may handle arrivals out of order, so the deadline must not be before `latest` (E4). */
static uint64_t new_deadline(const struct plf_queue *queue, const struct plf_task *task)
{
	uint64_t deadline = queue->arrival + task->config->urgency.deadline_ns;
	bool has_others = task->most - plf_room_of(task) > 1;

	if (has_others && plf_is_earlier(deadline, task->urgency.latest))
		deadline = task->urgency.latest;
	return deadline;
}

void plf_make_ready(struct plf_core *core, struct plf_task *task)
{
	task->urgency.latest = new_deadline(plf_queue_of(core), task);
	plf_heap_add(plf_queue_of(core), task, task->urgency.latest);
}

static struct plf_task *take_new(struct plf_core *core)
{
	struct plf_entry entry = plf_heap_take(plf_queue_of(core));
	struct plf_task *task = entry.task;

	plf_floor_begin(&task->urgency.floor, entry.deadline);
	plf_forget_words(task);
	plf_trace_begin(task, false);
	return task;
}

void plf_dispatch(struct plf_core *core)
{
	const struct plf_entry *earliest = plf_earliest_new(core);
	struct plf_task *task = plf_queue_of(core)->preempted;

	if (earliest && (!task || plf_is_earlier(earliest->deadline, task->urgency.floor.deadline)))
		task = take_new(core);
	else if (task)
		task = plf_take_preempted(core);
	plf_set_running(core, task);
	if (!task)
		return;
	plf_load_words(core, task);
	plf_pre_task(core);
}

void plf_preempt_if_due(struct plf_core *core)
{
	const struct plf_entry *earliest = plf_earliest_new(core);

	if (earliest && plf_is_earlier(earliest->deadline, core->running->urgency.floor.deadline) &&
	    plf_is_earlier(earliest->deadline, plf_running_deadline(core))) {
		plf_put_back(core);
		plf_dispatch(core);
	}
}

void plf_prepare_queue(struct plf_core *core)
{
	for (unsigned kind = 0; kind < PLF_TIMERS; kind++)
		plf_queue_of(core)->timers[kind] = UINT64_MAX;
}
