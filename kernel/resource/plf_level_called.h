/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_CALLED_H
#define PLF_LEVEL_CALLED_H

/*
 * Fixed priorities, with resources as system calls: the running task's level is in its block. The
 * folder's plf_level.h must first define plf_show_task() and plf_show_level(), which publish
 * variables to user code. It may define plf_level_rises(), for the entry into a section. A leave
 * needs no such function, because a decision follows.
 */
#include "plf_called_services.h"

#ifndef plf_level_rises
static inline void plf_level_rises(unsigned level)
{
	(void)level;
}
#endif

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	(void)above;
	return core->running->urgency.level;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)next;
	plf_show_task(core->words, task);
	task->urgency.level = (uint8_t)level;
	plf_show_level(core->words, level);
}

static inline void plf_set_level(struct plf_core *core, uint8_t level)
{
	core->running->urgency.level = level;
	plf_show_level(core->words, level);
}

/* For a global resource: `bound` is its ceiling, or base. */
static inline void plf_put_bound(struct plf_core *core, plf_bound bound)
{
	bool rises = bound > core->running->urgency.level;

	plf_set_level(core, (uint8_t)bound);
	if (rises)
		plf_level_rises(bound);
}

static inline plf_bound plf_enter(struct plf_core *core, plf_bound ceiling)
{
	uint8_t before = core->running->urgency.level;

	if (before < ceiling) {
		plf_set_level(core, (uint8_t)ceiling);
		plf_level_rises((unsigned)ceiling);
	}
	return before;
}

static inline bool plf_leave(struct plf_core *core, plf_bound before)
{
	const struct plf_urgency *urgency = &core->running->urgency;
	uint8_t level = (uint8_t)before; /* plf_enter() returned a uint8_t */

	if (level < urgency->base || level > urgency->level)
		return false;
	plf_set_level(core, level);
	return true;
}

#endif
