/* SPDX-License-Identifier: MIT */
#ifndef PLF_RAISED_LEVELS_H
#define PLF_RAISED_LEVELS_H

/* Tasks may be suspended in a request, and resume at a ceiling: see kernel/global.h. */

static inline unsigned plf_ready_level(const struct plf_task *task)
{
	return task->urgency.ready;
}

static inline unsigned plf_begins_at(const struct plf_task *task, unsigned level)
{
	(void)level;
	return task->urgency.ready;
}

static inline bool plf_goes_on(const struct plf_task *task)
{
	return task->urgency.goes_on;
}

static inline void plf_go_on_at(struct plf_task *task, unsigned level)
{
	task->urgency.ready = (uint8_t)level;
	if (PLF_TRACE)
		task->urgency.goes_on = true;
}

static inline void plf_is_there(struct plf_task *task)
{
	task->urgency.ready = task->urgency.base;
	if (PLF_TRACE)
		task->urgency.goes_on = false;
}

static inline unsigned plf_taken_level(const struct plf_task *task)
{
	return task->urgency.taken;
}

static inline void plf_take_level(struct plf_task *task, unsigned level)
{
	task->urgency.taken = (uint8_t)level;
}

static inline bool plf_is_taken_above(const struct plf_task *task, unsigned level)
{
	return task->urgency.taken > level;
}

static inline bool plf_has_come_down(const struct plf_core *core, unsigned level)
{
	return plf_preempted_level(core) >= level;
}

/*
 * A task also gives way to a top of the stack of equal level, hence + 1. If no task is preempted,
 * the result is 1, to which no task gives way, because none falls below level 1.
 */
static inline unsigned plf_preempted_seen(unsigned level)
{
	return level + 1;
}

static inline void plf_push_front(struct plf_core *core, struct plf_task *task, unsigned level)
{
	task->below = plf_queue_of(core)->front[level];
	plf_queue_of(core)->front[level] = task;
}

/* NULL: no task gave way. */
static inline struct plf_task *plf_take_front(struct plf_core *core, unsigned level)
{
	struct plf_task *task = plf_queue_of(core)->front[level];

	if (task)
		plf_queue_of(core)->front[level] = task->below;
	return task;
}

static inline bool plf_has_front(const struct plf_core *core, unsigned level)
{
	return plf_queue_of(core)->front[level] != NULL;
}

#endif
