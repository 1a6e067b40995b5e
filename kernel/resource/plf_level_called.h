/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_CALLED_H
#define PLF_LEVEL_CALLED_H

/*
 * Fixed priorities, with resources as system calls: the running task's level is in its block. The
 * folder's plf_level.h says before which variables user code is shown (plf_show_task(),
 * plf_show_level()).
 */
#include "plf_called_services.h"

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

static inline plf_bound plf_enter(struct plf_core *core, plf_bound ceiling)
{
	uint8_t before = core->running->urgency.level;

	if (before < ceiling)
		plf_set_level(core, (uint8_t)ceiling);
	return before;
}

static inline bool plf_leave(struct plf_core *core, plf_bound before)
{
	const struct plf_urgency *urgency = &core->running->urgency;

	if (before < urgency->base || before > urgency->level)
		return false;
	plf_set_level(core, (uint8_t)before);
	return true;
}

#endif
