/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_CLAIMS_H
#define PLF_LEVEL_CLAIMS_H

/*
 * The kernel's half of the claims' words, but for the decisions: the folder's plf_level.h has
 * these, PLF_NO_CLAIM, and what a task's resources lie between (plf_outermost(), plf_strictest()).
 * Whatever is found in the words concerns their task alone.
 */
#include "plf_no_calls.h"

static inline void plf_on_entry(struct plf_core *core)
{
	(void)core;
}

/* The words of the task that gets the core. */
static inline void plf_load_claim(struct plf_words *words, const struct plf_task *task)
{
	plf_store32(&words->task, task->index);
	plf_store_bound(&words->claim, task->words.claim);
	plf_store_bound(&words->raised, task->words.raised);
	if (PLF_EXTENDED_STATUS) {
		plf_store32(&words->top, task->words.top);
		plf_store_bound(&words->base, plf_outermost(task));
		plf_store_bound(&words->highest, plf_strictest(task));
	}
}

static inline void plf_leave_words(struct plf_core *core, struct plf_task *task)
{
	task->words.claim = plf_load_bound(&core->words->claim);
	task->words.raised = plf_load_bound(&core->words->raised);
	if (PLF_EXTENDED_STATUS)
		task->words.top = plf_load32(&core->words->top);
}

/* Its activation is over: a new one begins without resources. */
static inline void plf_forget_words(struct plf_task *task)
{
	task->words.claim = PLF_NO_CLAIM;
	task->words.raised = PLF_NO_CLAIM;
	if (PLF_EXTENDED_STATUS)
		task->words.top = 0;
}

static inline bool plf_holds_resource(struct plf_core *core)
{
	return PLF_EXTENDED_STATUS && plf_load32(&core->words->top) != 0;
}

#endif
