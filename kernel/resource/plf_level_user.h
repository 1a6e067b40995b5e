/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_USER_H
#define PLF_LEVEL_USER_H

/*
 * The kernel's half if user code stores its level in `uprio`: the part common to these protocols.
 */
#include "plf_checks.h"

/* Load the words of the task that gets the core, except the words of a particular protocol. */
static inline void plf_load_common(struct plf_words *words, const struct plf_task *task,
				   unsigned level)
{
	plf_store32(&words->task, task->index);
	plf_store32(&words->uprio, level);
	plf_load_checks(words, task);
}

#define plf_leave_words plf_leave_words
static inline void plf_leave_words(struct plf_core *core, struct plf_task *task)
{
	plf_leave_checks(core->words, task);
}

#define plf_forget_words plf_forget_words
static inline void plf_forget_words(struct plf_task *task)
{
	plf_forget_checks(task);
}

#endif
