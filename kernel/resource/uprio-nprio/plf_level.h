/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* UPRIO|NPRIO: nprio follows the ready queue, and the kernel reads uprio only at a decision. */
#include "../plf_level_user.h"

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	const struct plf_task *task = core->running;

	(void)above;
	return plf_nprio_bound(&core->words->uprio, task->urgency.base, task->urgency.highest);
}

/* plf_running_level() bounds it. */
static inline void plf_put_bound(struct plf_core *core, plf_bound bound)
{
	plf_store32(&core->words->uprio, bound);
}

#define plf_next_changed plf_next_changed
static inline void plf_next_changed(struct plf_core *core, unsigned next)
{
	plf_nprio_publish(&core->words->nprio, next);
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	plf_load_common(core->words, task, level);
	plf_nprio_publish(&core->words->nprio, next);
}

#endif
