/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* Under the hardware scheduler: a section's ceiling is the controller's mask. */
static inline void plf_show_task(struct plf_words *words, const struct plf_task *task)
{
	plf_store32(&words->task, task->index);
}

static inline void plf_show_level(struct plf_words *words, unsigned level)
{
	(void)words, (void)level;
}

#define plf_level_rises plf_level_rises
static inline void plf_level_rises(unsigned level)
{
	plf_port_hold_back(level);
}

#include "../plf_level_called.h"

#endif
