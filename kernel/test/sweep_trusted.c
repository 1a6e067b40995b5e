/* SPDX-License-Identifier: MIT */
/* The invariants of kernel/core.h, wherever the core changes hands. */
#include "plf_level.h"

#include "check.h"
#include "kernel/ready.h"

static void check_queues(const struct plf_core *core)
{
	EXPECT(core->ready & 1, 1);
	for (unsigned level = 1; level < PLF_LEVELS; level++)
		EXPECT(core->rings[level].head != core->rings[level].tail,
		       core->ready >> level & 1);
	CHECK(core->preempted->level < core->running->base);
	for (const struct plf_task *task = core->preempted; task->level; task = task->below)
		CHECK(task->below->level < task->base && task->level >= task->base);
	CHECK(plf_highest_new(core) <= plf_running_level(plf_this_core()));
}

void PreTaskHook(void)
{
	check_queues(plf_this_core());
}

/* A task that asked for it is in no section: its level is its own. */
void ErrorHook(StatusType status)
{
	struct plf_core *core = plf_this_core();

	if (status == E_OS_STATE)
		return; /* URGENT is not there yet */
	EXPECT(status, E_OS_ID);
	check_queues(core);
	EXPECT(plf_running_level(core), core->running->running);
	CHECK(!plf_holds_resource(core));
}
