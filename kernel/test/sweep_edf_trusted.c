/* SPDX-License-Identifier: MIT */
/* The invariants of kernel/scheduler/edf/plf_urgency.h, at each change of the running task. */
#include "kernel/resource.h"

#include "check.h"
#include "plf_ready.h"
#include "port.h"

/* E2 */
static void check_heap(const struct plf_queue *queue)
{
	for (uint32_t i = 1; i < queue->count; i++) {
		const struct plf_entry *entry = &queue->entries[i];
		const struct plf_entry *parent = &queue->entries[(i - 1) / 2];

		CHECK(!plf_is_earlier(entry->deadline, parent->deadline));
		CHECK(entry->deadline != parent->deadline || entry->order > parent->order);
	}
}

/* Whatever a task claims, it is raised only to floors of its resources. */
static void check_floor(const struct plf_task *task)
{
	const struct plf_floor *floor = &task->urgency.floor;
	uint64_t least_ns = task->config->urgency.least_ns;

	CHECK(!plf_is_earlier(floor->own, floor->deadline));
	CHECK(floor->raises == 0 ||
	      !plf_is_earlier(floor->deadline, floor->raise[0].since + least_ns));
}

/* E3 */
static void check_stack(const struct plf_core *core)
{
	const struct plf_task *above = core->running;

	check_floor(above);
	for (const struct plf_task *task = plf_queue_of(core)->preempted; task;
	     task = task->below) {
		CHECK(plf_is_earlier(above->urgency.floor.own, task->urgency.floor.deadline));
		check_floor(task);
		above = task;
	}
}

/* E4 */
static void check_activations(const struct plf_queue *queue)
{
	for (uint32_t i = 0; i < queue->count; i++)
		for (uint32_t j = 0; j < queue->count; j++)
			if (queue->entries[i].task == queue->entries[j].task &&
			    queue->entries[i].order < queue->entries[j].order)
				CHECK(!plf_is_earlier(queue->entries[j].deadline,
						      queue->entries[i].deadline));
}

static void check_queue(struct plf_core *core)
{
	const struct plf_queue *queue = plf_queue_of(core);

	check_heap(queue);
	check_stack(core);
	check_activations(queue);
	CHECK(!queue->count || !plf_is_earlier(queue->entries[0].deadline,
					       core->running->urgency.floor.deadline)); /* E1 */
	CHECK(queue->instant <= plf_port_now_ns());					/* E5 */
}

void PreTaskHook(void)
{
	check_queue(plf_this_core());
}

/* The task that made the error is in no section, so it has its own deadline. */
void ErrorHook(StatusType status)
{
	struct plf_core *core = plf_this_core();

	EXPECT(status, E_OS_ID);
	check_queue(core);
	EXPECT(plf_running_deadline(core), core->running->urgency.floor.own);
	EXPECT(core->running->urgency.floor.deadline, core->running->urgency.floor.own);
	CHECK(!plf_holds_resource(core));
}
