/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

static inline void plf_show_task(struct plf_words *words, const struct plf_task *task)
{
	plf_store32(&words->task, task->index);
}

static inline void plf_show_level(struct plf_words *words, unsigned level)
{
	plf_store32(&words->uprio, level);
}

#include "../plf_level_called.h"

#endif
