/* SPDX-License-Identifier: MIT */
/*
 * MPCP by two system calls, for comparison: Mueller 2014, Figure 4, except that the kernel grants
 * the resource to a task instead of enabling its interrupt source.
 */
#include "global.h"
#include "plf_schedule.h"

/*
 * Whether the running task is in the section. If it is in the queue it is the holder, because a
 * task that waits is suspended.
 */
static bool is_inside(const struct plf_use *use)
{
	if (plf_is_by_core(use->config))
		return plf_load64(&use->queue[1 + plf_place_of(use)]) & use->bit;
	return plf_load64(use->queue) & use->bit;
}

/* Always inlined, so a resource with a single word does not pay for the queues by core. */
static inline __attribute__((always_inline)) bool enter_queue(const struct plf_use *use)
{
	if (plf_is_by_core(use->config))
		return plf_mpcp_enter_by_core(use->queue, plf_place_of(use), use->bit);
	return plf_mpcp_enter(use->queue, use->bit);
}

static inline __attribute__((always_inline)) bool leave_queue(const struct plf_use *use)
{
	if (plf_is_by_core(use->config))
		return plf_mpcp_leave_by_core(use->queue, plf_place_of(use), use->bit);
	return plf_mpcp_leave(use->queue, use->bit);
}

struct plf_result plf_get_global(uintptr_t resource, uintptr_t b, uintptr_t c,
				 struct plf_core *core)
{
	struct plf_task *task = core->running;
	struct plf_use use;
	StatusType status = plf_find_use(task, resource, &use);

	plf_trace(PLF_TRACE_CALL, core->running);
	if (status != E_OK)
		return plf_status(status);
	if (is_inside(&use))
		return plf_status(E_OS_ACCESS);
	if (PLF_EXTENDED_STATUS) {
		if (plf_holds_resource(core))
			return plf_status(E_OS_RESOURCE);
		task->words.top = (uint32_t)resource + 1;
	}
	plf_put_bound(core, use.config->ceiling);
	if (!enter_queue(&use))
		plf_block(core, &use);
	return plf_status(E_OK);
}

struct plf_result plf_release_global(uintptr_t resource, uintptr_t b, uintptr_t c,
				     struct plf_core *core)
{
	struct plf_task *task = core->running;
	struct plf_use use;
	StatusType status = plf_find_use(task, resource, &use);

	plf_trace(PLF_TRACE_CALL, core->running);
	if (status == E_OS_ID)
		return plf_status(E_OS_ID);
	if (status != E_OK || !is_inside(&use))
		return plf_status(E_OS_NOFUNC);
	if (PLF_EXTENDED_STATUS) {
		if (task->words.top != resource + 1)
			return plf_status(E_OS_NOFUNC);
		task->words.top = 0;
	}
	if (leave_queue(&use))
		plf_grant_next(core, &use);
	plf_put_bound(core, task->urgency.base);
	plf_preempt_if_due(core);
	return plf_status(E_OK);
}
