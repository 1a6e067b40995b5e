/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_CLAIM_H
#define PLF_LEVEL_CLAIM_H

/* Lazy ceilings: what does not depend on when the kernel raises. */
#define PLF_NO_CLAIM 0

static inline plf_bound plf_outermost(const struct plf_task *task)
{
	return task->urgency.base;
}

static inline plf_bound plf_strictest(const struct plf_task *task)
{
	return task->urgency.highest;
}

#include "plf_level_claims.h"

static inline void plf_next_changed(struct plf_core *core, unsigned next)
{
	(void)core, (void)next;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)next;
	task->urgency.level = (uint8_t)level;
	plf_load_claim(core->words, task);
}

#endif
