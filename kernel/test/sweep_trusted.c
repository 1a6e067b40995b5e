/* SPDX-License-Identifier: MIT */
/* The invariants of kernel/core.h, at each change of the running task. */
#include "kernel/resource.h"

#include "check.h"

#if PLF_TASKS_ARE_INTERRUPTS
/* New and woken tasks are in the controller. On sim the controller checks its order (H1). */
static void check_new(const struct plf_core *core)
{
	for (unsigned level = 1; level < PLF_LEVELS; level++)
		CHECK(!plf_queue_of(core)->levels[level].only ||
		      !plf_queue_of(core)->levels[level].places);
}
#else
#include "plf_ready.h"

static void check_new(const struct plf_core *core)
{
	EXPECT(plf_queue_of(core)->ready & 1, 1);
	for (unsigned level = 1; level < PLF_LEVELS; level++)
		EXPECT(plf_queue_of(core)->rings[level].head !=
			       plf_queue_of(core)->rings[level].tail,
		       plf_queue_of(core)->ready >> level & 1);
	CHECK(plf_highest_new(core) <= plf_running_level(plf_this_core(), 0));
}
#endif

static void check_queues(const struct plf_core *core)
{
	check_new(core);
	CHECK(plf_queue_of(core)->preempted->urgency.level < core->running->urgency.base);
	for (const struct plf_task *task = plf_queue_of(core)->preempted; task->urgency.level;
	     task = task->below)
		CHECK(task->below->urgency.level < task->urgency.base &&
		      task->urgency.level >= task->urgency.base);
}

void PreTaskHook(void)
{
	check_queues(plf_this_core());
}

/* The task that made the error is in no section, so it has its own level. */
void ErrorHook(StatusType status)
{
	struct plf_core *core = plf_this_core();

	EXPECT(status, E_OS_ID);
	check_queues(core);
	EXPECT(plf_running_level(core, 0), core->running->urgency.base);
	CHECK(!plf_holds_resource(core));
}
