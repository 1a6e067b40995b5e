/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* UPRIO|KPRIO: the kernel reads the running task's level from uprio at each entry. */
#include "../plf_level_kprio.h"

#define plf_on_entry plf_on_entry
static inline void plf_on_entry(struct plf_core *core)
{
	plf_sync_level(core, core->running);
}

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	(void)above;
	return core->running->urgency.level;
}

#endif
