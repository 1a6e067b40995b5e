/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALLED_SERVICES_H
#define PLF_CALLED_SERVICES_H

/*
 * GetResource and ReleaseResource in the kernel, over the folder's plf_enter() and plf_leave().
 * Kernel memory keeps the state before a section.
 *
 * Only declared users reach a resource, so only they can spoil its saved state. plf_leave() refuses
 * a state that makes the task more urgent, or less urgent than outside all sections.
 */
#include "plf_elsewhere.h"

/* Enter a section. Returns the task's previous bound, for plf_leave(). */
static inline __attribute__((warn_unused_result)) plf_bound plf_enter(struct plf_core *core,
								      plf_bound bound);

/* Leave a section. False: `before` cannot be the task's previous bound. */
static inline __attribute__((warn_unused_result)) bool plf_leave(struct plf_core *core,
								 plf_bound before);

#include "plf_sharing_called.h"

#define plf_forget_words plf_forget_words
static inline void plf_forget_words(struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS)
		task->words.top = 0;
}

#define plf_holds_resource plf_holds_resource
static inline bool plf_holds_resource(struct plf_core *core)
{
	return PLF_EXTENDED_STATUS && core->running->words.top != 0;
}

static const plf_static_bound plf_ceiling[PLF_RESOURCES + 1] = PLF_CEILINGS;

/* `top` and `below` as in plf_section.h. */
static inline bool plf_is_held(const struct plf_core *core, uintptr_t resource)
{
	const struct plf_resource_words *words = plf_words_of(core);
	uint32_t entry = core->running->words.top;

	while (entry != 0 && entry - 1 != resource)
		entry = words[entry - 1].below;
	return entry != 0;
}

static inline bool plf_is_user(const struct plf_task *task, uintptr_t resource)
{
	return task->resources >> resource & 1;
}

static inline StatusType plf_not_here(const struct plf_core *core, uintptr_t resource,
				      StatusType status)
{
	return plf_is_elsewhere((unsigned)resource, plf_index_of(core)) ? E_OS_CORE : status;
}

static inline struct plf_result plf_answer(StatusType status)
{
	return (struct plf_result) { .status = status, .value = 0 };
}

#define plf_get_resource plf_get_resource
/* OSEK 2.2.3, Section 13.4.3.1. */
static inline struct plf_result plf_get_resource(struct plf_core *core, uintptr_t resource)
{
	struct plf_task *task = core->running;
	struct plf_resource_words *words;

	if (resource >= PLF_RESOURCES)
		return plf_answer(E_OS_ID);
	if (!plf_is_user(task, resource))
		return plf_answer(plf_not_here(core, resource, E_OS_ACCESS));
	words = &plf_words_of(core)[resource];
	if (PLF_EXTENDED_STATUS) {
		if (plf_is_held(core, resource))
			return plf_answer(E_OS_ACCESS);
		if (task->words.top != 0 &&
		    plf_is_of_servers(task->words.top - 1) != plf_is_of_servers(resource))
			return plf_answer(E_OS_RESOURCE);
		words->below = task->words.top;
		task->words.top = (uint32_t)resource + 1;
	}
	if (plf_is_of_servers(resource))
		plf_enter_of_servers(core, resource, words);
	else
		words->saved = plf_enter(core, plf_ceiling[resource]);
	return plf_answer(E_OK);
}

#define plf_release_resource plf_release_resource
/* OSEK 2.2.3, Section 13.4.3.2. */
static inline struct plf_result plf_release_resource(struct plf_core *core, uintptr_t resource)
{
	struct plf_task *task = core->running;
	const struct plf_resource_words *words;

	if (resource >= PLF_RESOURCES)
		return plf_answer(E_OS_ID);
	if (!plf_is_user(task, resource))
		return plf_answer(plf_not_here(core, resource, E_OS_NOFUNC));
	words = &plf_words_of(core)[resource];
	if (PLF_EXTENDED_STATUS) {
		if (task->words.top != resource + 1)
			return plf_answer(E_OS_NOFUNC);
		task->words.top = words->below;
	}
	if (plf_is_of_servers(resource))
		plf_leave_of_servers(core, words);
	return plf_answer(plf_leave(core, words->saved) ? E_OK : E_OS_NOFUNC);
}

#endif
