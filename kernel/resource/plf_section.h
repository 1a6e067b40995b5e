/* SPDX-License-Identifier: MIT */
#ifndef PLF_SECTION_H
#define PLF_SECTION_H

/*
 * GetResource and ReleaseResource as user code, over a protocol's plf_enter() and plf_leave().
 *
 * Invariant: a task must ask for a resource's ceiling, or more, before it writes the resource's
 * words. No other user of the resource can run then, so the holder finds the values that it wrote.
 * Hence the order: first enter, then save. In the other order, a user that preempts in between
 * leaves its bound in `saved`, and the holder keeps that bound for good.
 */
#include "os_calls.h"
#include "os_types.h"
#include "plf_call.h"
#include "plf_elsewhere.h"
#include "plf_find.h"
#include "plf_words.h"

static const plf_static_bound plf_ceiling[PLF_RESOURCES + 1] = PLF_CEILINGS;

static inline void plf_acquire(plf_bound *saved, plf_bound ceiling)
{
	plf_store_bound(saved, plf_enter(ceiling));
}

static inline void plf_release(const plf_bound *saved)
{
	if (plf_leave(plf_load_bound(saved)))
		plf_call0(PLF_CALL_PREEMPT);
}

#include "plf_sharing_section.h"

/* ---- Extended status --------------------------------------------------- */

/*
 * The first entry that is a resource, in the list of held locks from `entry` on. Skips spinlocks.
 */
static inline uint32_t plf_first_resource(uint32_t entry)
{
#if PLF_GLOBAL_SPINS
	for (unsigned i = 0; i < PLF_GLOBALS && entry - 1 - PLF_RESOURCES < PLF_GLOBALS; i++)
		entry = plf_load32(&plf_find_global(entry - 1 - PLF_RESOURCES)->below);
#endif
	return entry;
}

/*
 * The resources that the task holds are a list, from `top` in the task's words along `below`. `top`
 * is the resource entered last. Each entry is 1 + the resource, and 0 ends the list. The list goes
 * with the task, so a killed task leaves nothing behind. No other task can hold the resource,
 * because the holder would run in place of the caller.
 */
static inline bool plf_is_held(ResourceType resource)
{
	const struct plf_page *page = plf_find_page();
	uint32_t entry = plf_first_resource(plf_load32(&page->words.checks.top));

	for (unsigned i = 0; i < PLF_RESOURCES && entry - 1 < PLF_RESOURCES; i++) {
		if (entry - 1 == resource)
			return true;
		entry = plf_first_resource(plf_load32(&page->resources[entry - 1].below));
	}
	return false;
}

static inline bool plf_is_user(ResourceType resource)
{
	return plf_load64(&plf_find_page()->words.checks.resources) >> resource & 1;
}

static inline bool plf_is_masked(void)
{
	return plf_load32(&plf_find_page()->words.checks.masked) != 0;
}

/*
 * The status if the task may not use the resource: E_OS_CORE for a resource of another core, else
 * `status`.
 */
static inline __attribute__((warn_unused_result)) StatusType plf_not_here(ResourceType resource,
									  StatusType status)
{
	if (PLF_CPUS > 1 &&
	    plf_is_elsewhere(resource, (unsigned)plf_call0(PLF_CALL_GET_CORE_ID).value))
		return E_OS_CORE;
	return status;
}

/*
 * A section of a resource that servers share must not nest with a section of any other resource:
 * see kernel/sharing.h.
 */
static inline bool plf_mixes_levels(ResourceType resource)
{
	uint32_t top = plf_load32(&plf_find_page()->words.checks.top);

	return PLF_OF_SERVERS && top != 0 &&
	       plf_is_of_servers((ResourceType)(top - 1)) != plf_is_of_servers(resource);
}

/* OSEK 2.2.3, Section 13.4.3.1; AUTOSAR, SWS_Os_00093. */
static inline __attribute__((warn_unused_result)) StatusType plf_may_get(ResourceType resource)
{
	if (plf_is_masked())
		return E_OS_DISABLEDINT;
	if (resource >= PLF_RESOURCES)
		return E_OS_ID;
	if (!plf_is_user(resource) || plf_is_held(resource))
		return plf_not_here(resource, E_OS_ACCESS);
	return plf_mixes_levels(resource) ? E_OS_RESOURCE : E_OK;
}

/* OSEK 2.2.3, Section 13.4.3.2. No E_OS_ACCESS: a task may use each resource that it holds. */
static inline __attribute__((warn_unused_result)) StatusType plf_may_release(ResourceType resource)
{
	if (plf_is_masked())
		return E_OS_DISABLEDINT;
	if (resource >= PLF_RESOURCES)
		return E_OS_ID;
	return plf_load32(&plf_find_page()->words.checks.top) == resource + 1U
		       ? E_OK
		       : plf_not_here(resource, E_OS_NOFUNC);
}

static inline void plf_note_got(ResourceType resource)
{
	struct plf_page *page = plf_find_page();

	plf_store32(&page->resources[resource].below, plf_load32(&page->words.checks.top));
	plf_store32(&page->words.checks.top, resource + 1U);
}

static inline void plf_note_released(ResourceType resource)
{
	struct plf_page *page = plf_find_page();

	plf_store32(&page->words.checks.top, plf_load32(&page->resources[resource].below));
}

static inline StatusType plf_refused(unsigned service, StatusType status, unsigned resource)
{
	if (PLF_ERROR_PARAMETERS)
		plf_call3(PLF_CALL_ERROR, service, status, resource);
	else
		plf_call2(PLF_CALL_ERROR, service, status);
	return status;
}

/* ---- The services ------------------------------------------------------ */

static inline StatusType GetResource(ResourceType resource)
{
	if (PLF_EXTENDED_STATUS) {
		StatusType status = plf_may_get(resource);

		if (status != E_OK)
			return plf_refused(PLF_CALL_GET_RESOURCE, status, resource);
	}
	if (plf_is_of_servers(resource))
		plf_acquire_of_servers(resource);
	else
		plf_acquire(&plf_find_page()->resources[resource].saved, plf_ceiling[resource]);
	if (PLF_EXTENDED_STATUS)
		plf_note_got(resource);
	return E_OK;
}

static inline StatusType ReleaseResource(ResourceType resource)
{
	if (PLF_EXTENDED_STATUS) {
		StatusType status = plf_may_release(resource);

		if (status != E_OK)
			return plf_refused(PLF_CALL_RELEASE_RESOURCE, status, resource);
		plf_note_released(resource);
	}
	if (plf_is_of_servers(resource))
		plf_release_of_servers(resource);
	else
		plf_release(&plf_find_page()->resources[resource].saved);
	return E_OK;
}

#endif
