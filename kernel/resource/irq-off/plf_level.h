/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* Whether plf_on_entry() does anything. */
#define PLF_SYNCHRONISES_ON_ENTRY 0

#include "core.h"

/* A task's level never changes: the kernel is not entered in a section. */
static inline void plf_on_entry(struct plf_core *core)
{
	(void)core;
}

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	(void)above;
	return core->running->urgency.level;
}

static inline void plf_settle(struct plf_core *core)
{
	(void)core;
}

static inline void plf_next_changed(struct plf_core *core, unsigned next)
{
	(void)core, (void)next;
}

static inline void plf_leave_words(struct plf_core *core, struct plf_task *task)
{
	(void)core, (void)task;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)core, (void)next;
	task->urgency.level = (uint8_t)level;
}

static inline void plf_forget_words(struct plf_task *task)
{
	(void)task;
}

static inline bool plf_holds_resource(struct plf_core *core)
{
	(void)core;
	return false;
}

#include "../plf_no_calls.h"

#endif
