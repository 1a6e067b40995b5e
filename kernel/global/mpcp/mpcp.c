/* SPDX-License-Identifier: MIT */
/*
 * MPCP whose tasks enter and leave the queue in user mode. The services serve only the cases that
 * involve another task.
 */
#include "global.h"
#include "plf_schedule.h"

/* The caller is in the queue, at the ceiling, and other users were there before. */
struct plf_result plf_get_global(uintptr_t resource, uintptr_t b, uintptr_t c,
				 struct plf_core *core)
{
	struct plf_use use;
	StatusType status = plf_find_use(core->running, resource, &use);

	plf_trace(PLF_TRACE_CALL, core->running);
	if (status != E_OK)
		return plf_status(status);
	plf_block(core, &use);
	return plf_status(E_OK);
}

/*
 * The caller has left the queue, and other users are in it. `before` is its bound outside the
 * section.
 */
struct plf_result plf_release_global(uintptr_t resource, uintptr_t before, uintptr_t c,
				     struct plf_core *core)
{
	struct plf_use use;
	StatusType status = plf_find_use(core->running, resource, &use);

	plf_trace(PLF_TRACE_CALL, core->running);
	if (status != E_OK)
		return plf_status(status);
	plf_grant_next(core, &use);
	plf_put_bound(core, (plf_bound)before);
	plf_preempt_if_due(core);
	return plf_status(E_OK);
}
