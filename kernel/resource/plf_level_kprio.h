/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_KPRIO_H
#define PLF_LEVEL_KPRIO_H

/* UPRIO|KPRIO: the part that does not depend on when the kernel synchronises. */
#include "plf_level_user.h"

static inline void plf_sync_level(struct plf_core *core, struct plf_task *task)
{
	struct plf_words *words = core->words;

	task->urgency.level = (uint8_t)plf_kprio_sync(&words->uprio, &words->kprio,
						      task->urgency.base, task->urgency.highest);
}

static inline void plf_put_bound(struct plf_core *core, plf_bound bound)
{
	plf_store32(&core->words->uprio, bound);
	plf_sync_level(core, core->running);
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)next;
	task->urgency.level = (uint8_t)level;
	plf_load_common(core->words, task, level);
	plf_store32(&core->words->kprio, level);
}

#endif
