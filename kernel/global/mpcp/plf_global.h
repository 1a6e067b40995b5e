/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_H
#define PLF_GLOBAL_H

/*
 * GetMPCPResource and ReleaseMPCPResource as user code: Mueller 2014, Section VII.B, over
 * plf_enter() and plf_leave() of the protocol for the resources of a core.
 *
 * The caller raises itself to the ceiling before it enters the queue, so no task below the ceiling
 * preempts a task in the queue. It grants the resource to the next user before it comes down.
 */
#include "plf_find.h"
#include "plf_resource.h"
#include "protocol/mpcp_queue.h"

static const plf_static_bound plf_global_ceiling[PLF_GLOBALS] = PLF_GLOBAL_CEILINGS;

static inline bool plf_enter_queue(unsigned global, const struct plf_global_words *own)
{
	uint64_t *queue = plf_find_global_word(global);

	if (PLF_BY_CORE >> global & 1)
		return plf_mpcp_enter_by_core(queue, (unsigned)own->beside, own->bit);
	return plf_mpcp_enter(queue, own->bit);
}

static inline bool plf_leave_queue(unsigned global, const struct plf_global_words *own)
{
	uint64_t *queue = plf_find_global_word(global);

	if (PLF_BY_CORE >> global & 1)
		return plf_mpcp_leave_by_core(queue, (unsigned)own->beside, own->bit);
	return plf_mpcp_leave(queue, own->bit);
}

/* Sections must be outermost. */
static inline __attribute__((warn_unused_result)) StatusType plf_may_get_global(unsigned resource)
{
	uint32_t top = plf_load32(&plf_find_page()->words.checks.top);

	if (plf_is_masked())
		return E_OS_DISABLEDINT;
	if (resource - PLF_RESOURCES >= PLF_GLOBALS)
		return E_OS_ID;
	if (!plf_is_user((ResourceType)resource) || top == resource + 1U)
		return E_OS_ACCESS;
	return top ? E_OS_RESOURCE : E_OK;
}

static inline __attribute__((warn_unused_result)) StatusType
plf_may_release_global(unsigned resource)
{
	if (plf_is_masked())
		return E_OS_DISABLEDINT;
	if (resource - PLF_RESOURCES >= PLF_GLOBALS)
		return E_OS_ID;
	return plf_load32(&plf_find_page()->words.checks.top) == resource + 1U ? E_OK : E_OS_NOFUNC;
}

static inline StatusType GetMPCPResource(ResourceType resource)
{
	struct plf_global_words *own;

	if (PLF_EXTENDED_STATUS) {
		StatusType status = plf_may_get_global(resource);

		if (status != E_OK)
			return plf_refused(PLF_CALL_GET_GLOBAL, status, resource);
	}
	own = plf_find_global(resource - PLF_RESOURCES);
	plf_store_bound(&own->saved, plf_enter(plf_global_ceiling[resource - PLF_RESOURCES]));
	if (!plf_enter_queue(resource - PLF_RESOURCES, own))
		plf_call1(PLF_CALL_GET_GLOBAL, resource);
	if (PLF_EXTENDED_STATUS)
		plf_store32(&plf_find_page()->words.checks.top, resource + 1U);
	return E_OK;
}

static inline StatusType ReleaseMPCPResource(ResourceType resource)
{
	const struct plf_global_words *own;
	plf_bound before;

	if (PLF_EXTENDED_STATUS) {
		StatusType status = plf_may_release_global(resource);

		if (status != E_OK)
			return plf_refused(PLF_CALL_RELEASE_GLOBAL, status, resource);
		plf_store32(&plf_find_page()->words.checks.top, 0);
	}
	own = plf_find_global(resource - PLF_RESOURCES);
	before = plf_load_bound(&own->saved);
	if (plf_leave_queue(resource - PLF_RESOURCES, own))
		plf_call2(PLF_CALL_RELEASE_GLOBAL, resource, before);
	else if (plf_leave(before))
		plf_call0(PLF_CALL_PREEMPT);
	return E_OK;
}

#endif
