/* SPDX-License-Identifier: MIT */
#ifndef PLF_PLAIN_LEVELS_H
#define PLF_PLAIN_LEVELS_H

/* No task is suspended in a section: see kernel/global.h. A stack of preempted tasks is enough. */

static inline unsigned plf_ready_level(const struct plf_task *task)
{
	return task->urgency.base;
}

static inline unsigned plf_begins_at(const struct plf_task *task, unsigned level)
{
	(void)task;
	return level;
}

static inline bool plf_goes_on(const struct plf_task *task)
{
	(void)task;
	return false;
}

static inline void plf_go_on_at(struct plf_task *task, unsigned level)
{
	(void)task, (void)level;
}

static inline void plf_is_there(struct plf_task *task)
{
	(void)task;
}

static inline unsigned plf_taken_level(const struct plf_task *task)
{
	return task->urgency.base;
}

static inline void plf_take_level(struct plf_task *task, unsigned level)
{
	(void)task, (void)level;
}

static inline bool plf_is_taken_above(const struct plf_task *task, unsigned level)
{
	(void)task, (void)level;
	return false;
}

static inline bool plf_has_come_down(const struct plf_core *core, unsigned level)
{
	(void)core, (void)level;
	return false;
}

static inline unsigned plf_preempted_seen(unsigned level)
{
	return level;
}

static inline void plf_push_front(struct plf_core *core, struct plf_task *task, unsigned level)
{
	(void)core, (void)task, (void)level;
}

static inline struct plf_task *plf_take_front(struct plf_core *core, unsigned level)
{
	(void)core, (void)level;
	return NULL;
}

static inline bool plf_has_front(const struct plf_core *core, unsigned level)
{
	(void)core, (void)level;
	return false;
}

#endif
