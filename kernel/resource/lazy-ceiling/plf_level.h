/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* The kernel raises the task only if that keeps out a ready task. */
#include "../plf_level_lazy_ceiling.h"

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	struct plf_urgency *urgency = &core->running->urgency;

	if (above > urgency->level)
		urgency->level = (uint8_t)plf_claim_raise(&core->words->claim, &core->words->raised,
							  urgency->level, urgency->highest);
	return urgency->level;
}

static inline void plf_take_claimed(struct plf_core *core)
{
	struct plf_urgency *urgency = &core->running->urgency;

	urgency->level = (uint8_t)plf_claim_settle(&core->words->claim, &core->words->raised,
						   urgency->base, urgency->highest);
}

/*
 * A task that was not raised has called because of another server (kernel/sharing.h), perhaps out
 * of an inner section. It must not be raised for the outer section now, because it would have to
 * call again, in vain, when it leaves that.
 */
#define plf_settle plf_settle
static inline void plf_settle(struct plf_core *core)
{
	const struct plf_urgency *urgency = &core->running->urgency;

	if (!PLF_SHARING || urgency->level > urgency->base)
		plf_take_claimed(core);
}

static inline void plf_put_bound(struct plf_core *core, plf_bound bound)
{
	plf_store_bound(&core->words->claim, bound);
	plf_take_claimed(core);
}

#endif
