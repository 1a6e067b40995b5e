/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_CALLED_H
#define PLF_LEVEL_CALLED_H

/*
 * The kernel's half where resources are system calls: the running task's level is in its block, and
 * what a section saved is in the kernel's memory. The folder's plf_level.h says before which
 * variables user code is shown (plf_show_task(), plf_show_level()).
 *
 * Only declared users reach a resource, so only they can spoil what it saved; and no release
 * raises a task, or takes it below its lowest level.
 */

static inline void plf_on_entry(struct plf_core *core)
{
	(void)core;
}

static inline unsigned plf_running_level(struct plf_core *core)
{
	return core->running->level;
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
	(void)next;
	plf_show_task(core->words, task);
	task->level = (uint8_t)level;
	plf_show_level(core->words, level);
}

/* Its activation is over: a new one begins without resources. */
static inline void plf_forget_words(struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS)
		task->words.top = 0;
}

static inline bool plf_holds_resource(struct plf_core *core)
{
	return PLF_EXTENDED_STATUS && core->running->words.top != 0;
}

static const uint8_t plf_ceiling[PLF_RESOURCES + 1] = PLF_CEILINGS;

/* `top` and `below` as in plf_section.h. */
static inline bool plf_is_held(const struct plf_task *task, uintptr_t resource)
{
	uint32_t entry = task->words.top;

	while (entry != 0 && entry - 1 != resource)
		entry = plf_resource_words[entry - 1].below;
	return entry != 0;
}

static inline bool plf_is_user(const struct plf_task *task, uintptr_t resource)
{
	return task->resources >> resource & 1;
}

static inline struct plf_result plf_answer(StatusType status)
{
	return (struct plf_result) { .status = status, .value = 0 };
}

static inline void plf_set_level(struct plf_core *core, uint8_t level)
{
	core->running->level = level;
	plf_show_level(core->words, level);
}

/* OSEK 2.2.3, Section 13.4.3.1. */
static inline struct plf_result plf_get_resource(struct plf_core *core, uintptr_t resource)
{
	struct plf_task *task = core->running;
	struct plf_resource_words *words;
	uint8_t ceiling;

	if (resource >= PLF_RESOURCES)
		return plf_answer(E_OS_ID);
	if (!plf_is_user(task, resource))
		return plf_answer(E_OS_ACCESS);
	words = &plf_resource_words[resource];
	if (PLF_EXTENDED_STATUS) {
		if (plf_is_held(task, resource))
			return plf_answer(E_OS_ACCESS);
		words->below = task->words.top;
		task->words.top = (uint32_t)resource + 1;
	}
	ceiling = plf_ceiling[resource];
	words->saved = task->level;
	if (task->level < ceiling)
		plf_set_level(core, ceiling);
	return plf_answer(E_OK);
}

/* OSEK 2.2.3, Section 13.4.3.2. The caller looks whether the task is to be preempted now. */
static inline struct plf_result plf_release_resource(struct plf_core *core, uintptr_t resource)
{
	struct plf_task *task = core->running;
	const struct plf_resource_words *words;

	if (resource >= PLF_RESOURCES)
		return plf_answer(E_OS_ID);
	if (!plf_is_user(task, resource))
		return plf_answer(E_OS_ACCESS);
	words = &plf_resource_words[resource];
	if (PLF_EXTENDED_STATUS) {
		if (task->words.top != resource + 1)
			return plf_answer(E_OS_NOFUNC);
		task->words.top = words->below;
	}
	if (words->saved < task->running || words->saved > task->level)
		return plf_answer(E_OS_NOFUNC);
	plf_set_level(core, (uint8_t)words->saved);
	return plf_answer(E_OK);
}

#endif
