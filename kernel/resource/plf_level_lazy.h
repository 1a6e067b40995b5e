/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_LAZY_H
#define PLF_LEVEL_LAZY_H

/*
 * The kernel's half of the words of claims, except the decisions. The folder's plf_level.h must
 * define the decisions, and PLF_NO_CLAIM.
 */
#include "plf_checks.h"

/* Load the words of the task that gets the core. */
static inline void plf_load_claim(struct plf_words *words, const struct plf_task *task)
{
	plf_store32(&words->task, task->index);
	plf_store_bound(&words->claim, task->words.claim);
	plf_store_bound(&words->raised, task->words.raised);
	plf_load_checks(words, task);
}

#define plf_leave_words plf_leave_words
static inline void plf_leave_words(struct plf_core *core, struct plf_task *task)
{
	task->words.claim = plf_load_bound(&core->words->claim);
	task->words.raised = plf_load_bound(&core->words->raised);
	plf_leave_checks(core->words, task);
}

#define plf_forget_words plf_forget_words
static inline void plf_forget_words(struct plf_task *task)
{
	task->words.claim = PLF_NO_CLAIM;
	task->words.raised = PLF_NO_CLAIM;
	plf_forget_checks(task);
}

#endif
