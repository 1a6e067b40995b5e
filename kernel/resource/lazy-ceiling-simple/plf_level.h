/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/*
 * The paper's simple scheme: every decision raises the task, whichever task the decision concerns.
 */
#include "../plf_level_lazy_ceiling.h"

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	struct plf_urgency *urgency = &core->running->urgency;

	(void)above;
	urgency->level = (uint8_t)plf_claim_raise_simply(&core->words->claim, &core->words->raised,
							 urgency->level, urgency->highest);
	return urgency->level;
}

#define plf_settle plf_settle
static inline void plf_settle(struct plf_core *core)
{
	struct plf_urgency *urgency = &core->running->urgency;

	urgency->level = (uint8_t)plf_claim_settle_simply(&core->words->claim, &core->words->raised,
							  urgency->base, urgency->highest);
}

static inline void plf_put_bound(struct plf_core *core, plf_bound bound)
{
	plf_store_bound(&core->words->claim, bound);
	plf_settle(core);
}

#endif
