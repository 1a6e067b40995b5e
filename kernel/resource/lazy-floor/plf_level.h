/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* Lazy deadline floors: the kernel shortens the deadline only if that keeps out a ready task. */
#define PLF_NO_CLAIM PLF_FLOOR_NONE

#include "../plf_level_lazy.h"

static inline plf_bound plf_strictest(const struct plf_task *task)
{
	return task->config->urgency.least_ns;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task)
{
	plf_load_claim(core->words, task);
}

/*
 * A ready task is earlier than the running task, so shorten the running task's deadline to its
 * floor.
 */
static inline uint64_t plf_running_deadline(struct plf_core *core)
{
	struct plf_task *task = core->running;

	return plf_floor_raise(&task->urgency.floor, &core->words->claim, &core->words->raised,
			       plf_queue_of(core)->instant, plf_strictest(task));
}

#define plf_settle plf_settle
static inline void plf_settle(struct plf_core *core)
{
	struct plf_task *task = core->running;

	plf_floor_settle(&task->urgency.floor, &core->words->claim, &core->words->raised,
			 plf_strictest(task));
}

#endif
