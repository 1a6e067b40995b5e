/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_USER_H
#define PLF_LEVEL_USER_H

/*
 * The kernel's half where resources are user code: what does not depend on the protocol. Whatever
 * is found in the words concerns their task alone.
 */
#include "plf_no_calls.h"

static inline void plf_settle(struct plf_core *core)
{
	(void)core;
}

/* The words of the task that gets the core, but for the protocol's own. */
static inline void plf_load_common(struct plf_words *words, const struct plf_task *task,
				   unsigned level)
{
	plf_store32(&words->task, task->index);
	plf_store32(&words->uprio, level);
	if (PLF_EXTENDED_STATUS) {
		plf_store32(&words->top, task->words.top);
		plf_store32(&words->base, task->urgency.base);
		plf_store32(&words->highest, task->urgency.highest);
	}
}

static inline void plf_leave_words(struct plf_core *core, struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS)
		task->words.top = plf_load32(&core->words->top);
}

/* Its activation is over: a new one begins without resources. */
static inline void plf_forget_words(struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS)
		task->words.top = 0;
}

static inline bool plf_holds_resource(struct plf_core *core)
{
	return PLF_EXTENDED_STATUS && plf_load32(&core->words->top) != 0;
}

#endif
