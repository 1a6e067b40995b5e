/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_WAITING_H
#define PLF_LEVEL_WAITING_H

/*
 * Resources as mutexes: a task waits while another task holds the resource. The services are in
 * kernel/global/waiting/waiting.c.
 */
struct plf_result plf_get_mutex(struct plf_core *core, uintptr_t resource);
struct plf_result plf_release_mutex(struct plf_core *core, uintptr_t resource);

#define plf_get_resource plf_get_resource
static inline struct plf_result plf_get_resource(struct plf_core *core, uintptr_t resource)
{
	return plf_get_mutex(core, resource);
}

#define plf_release_resource plf_release_resource
static inline struct plf_result plf_release_resource(struct plf_core *core, uintptr_t resource)
{
	return plf_release_mutex(core, resource);
}

#define plf_forget_words plf_forget_words
static inline void plf_forget_words(struct plf_task *task)
{
	task->words.top = 0;
}

#define plf_holds_resource plf_holds_resource
static inline bool plf_holds_resource(struct plf_core *core)
{
	return core->running->words.top != 0;
}

static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	(void)above;
	return core->running->urgency.level;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)next;
	plf_store32(&core->words->task, task->index);
	task->urgency.level = (uint8_t)level;
}

#endif
