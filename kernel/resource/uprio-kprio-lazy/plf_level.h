/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/*
 * UPRIO|KPRIO: the kernel reads the running task's level from uprio at each decision (Zuepke 2014,
 * Section V.A).
 */
#include "../plf_level_kprio.h"

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	(void)above;
	plf_sync_level(core, core->running);
	return core->running->urgency.level;
}

#endif
