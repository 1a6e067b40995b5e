/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_SECTION_H
#define PLF_SHARING_SECTION_H

/*
 * GetResource and ReleaseResource of a resource with users in several servers, as user code. A
 * section has two levels. The inner level, plf_enter() and plf_leave(), keeps out other tasks of
 * the same server. A task enters it first and leaves it last. The outer level,
 * protocol/lazy_global.h, keeps out other servers.
 *
 * A task must access `outer` only under both ceilings. Under only one ceiling, a task of the same
 * or of another server may be inside. The barriers of lazy_global.h keep the accesses inside the
 * section, so they need no further order.
 */
#include "plf_ceilings.h"
#include "plf_clock.h"

static inline bool plf_is_of_servers(ResourceType resource)
{
	return PLF_OF_SERVERS >> resource & 1;
}

/* The task has entered the inner level. Save its previous state only after the outer level, too. */
static inline void plf_enter_outer(ResourceType resource, plf_bound saved, uint32_t claimed)
{
	struct plf_page *page = plf_find_page();

	plf_lazy_global_enter(&page->global, claimed, plf_server_ceiling[resource]);
	page->resources[resource].outer = (struct plf_outer) { .saved = saved, .claimed = claimed };
}

/*
 * Skipping, before an outermost section: wait until enough budget is left. The system call returns
 * its argument, so the compiler keeps no register across it, and saves none if the call is left
 * out.
 */
static inline plf_bound plf_wait_for_budget(plf_bound saved)
{
	if (plf_lazy_global_suffices(&plf_find_page()->global, plf_user_now_ns))
		return saved;
	return (plf_bound)plf_call1(PLF_CALL_AWAIT_BUDGET, saved).value;
}

/* The first case is the fast path: an outermost section under overrun. */
static inline void plf_acquire_of_servers(ResourceType resource)
{
	struct plf_page *page = plf_find_page();
	uint64_t found = plf_lazy_global_look(&page->global);
	uint32_t claimed = plf_lazy_global_claim_of(found);
	plf_bound saved;

	if (__builtin_expect(found == 0, true)) {
		plf_enter_outer(resource, plf_enter(PLF_LEVELS - 1), 0);
		return;
	}
	saved = plf_enter(plf_local_ceiling[plf_lazy_global_row_of(found)][resource]);
	if (__builtin_expect(claimed == 0, true))
		plf_enter_outer(resource, plf_wait_for_budget(saved), 0);
	else
		plf_enter_outer(resource, saved, claimed);
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
