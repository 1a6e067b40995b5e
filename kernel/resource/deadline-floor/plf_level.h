/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/*
 * Deadline floors (Almatary 2015, Section IV), with resources as system calls. A floor counts from
 * the `instant` of plf_take_time(), as the lazy floor does, for the same reason.
 */
#include "../plf_called_services.h"

static inline uint64_t plf_running_deadline(struct plf_core *core)
{
	return core->running->urgency.floor.deadline;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task)
{
	plf_store32(&core->words->task, task->index);
}

static inline plf_bound plf_enter(struct plf_core *core, plf_bound floor)
{
	struct plf_floor *t = &core->running->urgency.floor;
	uint64_t before = t->deadline;
	uint64_t deadline = plf_queue_of(core)->instant + floor;

	if (plf_is_earlier(deadline, before))
		t->deadline = deadline;
	return before;
}

static inline bool plf_leave(struct plf_core *core, plf_bound before)
{
	struct plf_floor *t = &core->running->urgency.floor;

	if (plf_is_earlier(before, t->deadline) || plf_is_earlier(t->own, before))
		return false;
	t->deadline = before;
	return true;
}

#endif
