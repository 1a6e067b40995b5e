/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_KERNEL_H
#define PLF_GLOBAL_KERNEL_H

/*
 * The multiprocessor priority ceiling protocol in the kernel: Mueller 2014, Section VII. The kernel
 * suspends a request that must wait, and grants the resource to the next user. The queue is in user
 * memory, or in kernel memory (mpcp-called).
 */
#include "config.h"
#include "plf_globals.h"
#include "protocol/mpcp_queue.h"
#include "trace.h"

/*
 * Defined by the protocol for the resources of a core. Enters or leaves a section by a system call:
 * stores `bound` in the running task's words, and acts on it. `bound` may have any value.
 */
static inline void plf_put_bound(struct plf_core *core, plf_bound bound);

/* A task as a user of a global resource. */
struct plf_use {
	const struct plf_global_config *config;
	uint64_t *queue;
	uint64_t bit;
	uint32_t *state;
};

static inline struct plf_use plf_use_of(const struct plf_task *task, unsigned global)
{
	const struct plf_global_config *config = &plf_global_config[global];
	unsigned user = config->user_of_task[task->index];

	return (struct plf_use) {
		.config = config,
		.queue = plf_globals[global].words,
		.bit = PLF_GLOBAL_MARK(user),
		.state = &config->states[user],
	};
}

/*
 * `resource` may be any number. E_OS_ID: it is no global resource. E_OS_ACCESS: the task has not
 * declared it.
 */
static inline __attribute__((warn_unused_result)) StatusType
plf_find_use(const struct plf_task *task, uintptr_t resource, struct plf_use *use)
{
	if (resource - PLF_RESOURCES >= PLF_GLOBALS)
		return E_OS_ID;
	if (!(task->resources >> resource & 1))
		return E_OS_ACCESS;
	*use = plf_use_of(task, (unsigned)resource - PLF_RESOURCES);
	return E_OK;
}

/* The place of the user's core in a queue by core. */
static inline unsigned plf_place_of(const struct plf_use *use)
{
	return (unsigned)PLF_GLOBAL_PLACE(use->state - use->config->states);
}

/* The user to which the resource is granted next; false: the queue has no user. */
static inline bool plf_next_user(const struct plf_use *use, unsigned *next)
{
	const struct plf_global_config *config = use->config;
	unsigned place;

	if (!plf_is_by_core(config))
		return plf_mpcp_next(use->queue, config->users, next);
	if (!plf_mpcp_next_by_core(use->queue, config->users, config->users_on, &place, next))
		return false;
	*next += place * PLF_MPCP_MOST;
	return true;
}

static inline bool plf_end_in_queue(const struct plf_use *use)
{
	if (plf_is_by_core(use->config))
		return plf_mpcp_end_by_core(use->queue, plf_place_of(use), use->bit, use->state);
	return plf_mpcp_end(use->queue, use->bit, use->state);
}

/* Grant the resource to the highest user in the queue, on whichever core. Preempts no task. */
static inline void plf_grant_next(struct plf_core *core, const struct plf_use *use)
{
	const struct plf_global_config *config = use->config;
	struct plf_task *task;
	unsigned next;

	if (!plf_next_user(use, &next) || !plf_mpcp_grant(&config->states[next]))
		return;
	task = &plf_tasks[config->task_of_user[next]];
	plf_trace(PLF_TRACE_WAKE, task);
	if (!plf_hand_over(core, task))
		plf_make_ready(core, task);
}

/*
 * Suspend the running task until the resource is granted to it, unless that has happened. It
 * resumes at the ceiling. From plf_mpcp_block() on, other cores may make it ready.
 */
static inline void plf_block(struct plf_core *core, const struct plf_use *use)
{
	struct plf_task *task = core->running;

	plf_go_on_at(task, use->config->ceiling);
	__atomic_store_n(&task->request, use->state, __ATOMIC_RELEASE);
	if (!plf_mpcp_block(use->state)) {
		plf_is_there(task);
		return;
	}
	plf_post_task(core);
	plf_leave_words(core, task);
	plf_resumes_raised(task, use->config->ceiling);
	plf_let_go(core);
	plf_trace(PLF_TRACE_WAIT, task);
	plf_dispatch(core);
}

/* The time grows with the number of the task's global resources. */
static inline void plf_leave_global(struct plf_core *core, struct plf_task *task)
{
	uint64_t left = task->resources >> PLF_RESOURCES;

	for (unsigned global = 0; left; global++, left >>= 1) {
		struct plf_use use;

		if (!(left & 1))
			continue;
		use = plf_use_of(task, global);
		if (plf_end_in_queue(&use))
			plf_grant_next(core, &use);
	}
}

#endif
