/* SPDX-License-Identifier: MIT */
/*
 * MPCP, where tasks enter and leave the queue themselves: the two services are for the cases that
 * another task is part of.
 */
#include "global.h"
#include "plf_schedule.h"

/* The caller stands in the queue, at the ceiling, and was not the first. */
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

/* The caller has left the queue, and others are in it. `before`: what its words had outside. */
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
