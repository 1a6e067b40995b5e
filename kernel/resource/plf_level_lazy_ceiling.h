/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_LAZY_CEILING_H
#define PLF_LEVEL_LAZY_CEILING_H

/* Lazy ceilings: the part that does not depend on when the kernel raises a task. */
#define PLF_NO_CLAIM 0

#include "plf_level_lazy.h"

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)next;
	task->urgency.level = (uint8_t)level;
	plf_load_claim(core->words, task);
}

#define plf_resumes_raised plf_resumes_raised
static inline void plf_resumes_raised(struct plf_task *task, unsigned level)
{
	task->words.raised = level;
}

#endif
