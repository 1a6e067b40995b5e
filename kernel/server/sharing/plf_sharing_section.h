/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_SECTION_H
#define PLF_SHARING_SECTION_H

/*
 * GetResource and ReleaseResource of a resource with users in several servers, as user code: the
 * outer level is protocol/lazy_global.h, inside the one that keeps out the tasks of the same
 * server, plf_enter() and plf_leave() of the protocol.
 *
 * What the section saved is written, and read, only by a task that has asked for both ceilings:
 * under one alone a task of another server, or of the same one, may be inside. The barriers of
 * lazy_global.h keep both accesses between these; they need no order of their own.
 */
#include "plf_ceilings.h"
#include "plf_clock.h"

static inline bool plf_is_of_servers(ResourceType resource)
{
	return PLF_OF_SERVERS >> resource & 1;
}

/* Returns what the task had before, of both levels. */
static inline struct plf_outer plf_enter_simply(struct plf_page *page, ResourceType resource)
{
	struct plf_outer outer = { .saved = plf_enter(PLF_LEVELS - 1), .claimed = 0 };

	plf_lazy_global_enter(&page->global, 0, plf_server_ceiling[resource]);
	return outer;
}

static inline struct plf_outer plf_enter_within_budget(struct plf_page *page, ResourceType resource)
{
	uint32_t row = plf_load32(&page->global.row);
	uint32_t claimed = plf_load32(&page->global.claim);
	plf_bound saved = plf_enter(plf_local_ceiling[row][resource]);

	if (row && claimed == 0 && !plf_lazy_global_suffices(&page->global, plf_user_now_ns))
		plf_call0(PLF_CALL_AWAIT_BUDGET);
	plf_lazy_global_enter(&page->global, claimed, plf_server_ceiling[resource]);
	return (struct plf_outer) { .saved = saved, .claimed = claimed };
}

static inline void plf_acquire_of_servers(ResourceType resource)
{
	struct plf_page *page = plf_find_page();

	page->resources[resource].outer = plf_lazy_global_is_simple(&page->global)
						  ? plf_enter_simply(page, resource)
						  : plf_enter_within_budget(page, resource);
}

static inline void plf_release_of_servers(ResourceType resource)
{
	struct plf_page *page = plf_find_page();
	struct plf_outer outer = page->resources[resource].outer;
	bool is_late = plf_lazy_global_leave(&page->global, outer.claimed);

	if (plf_leave(outer.saved) || is_late)
		plf_call0(PLF_CALL_PREEMPT);
}

#endif
