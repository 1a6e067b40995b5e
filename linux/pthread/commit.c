/* SPDX-License-Identifier: MIT */
#include "commit.h"

#include "claims.h"
#include "frames.h"
#include "place.h"
#include "priority.h"

/* The highest ceiling comes first, so that one system call serves all sections. */
static struct plf_section *next_to_commit(enum plf_kept kept)
{
	const struct plf_section *highest = plf_highest(&plf_me, kept);

	return highest == NULL ? NULL : &plf_me.section[highest - plf_me.section];
}

/* Without the privilege to raise the priority, exclusion and inheritance remain. */
static void keep_eagerly(struct plf_section *section)
{
	int error = plf_priority_raise(section->ceiling);

	section->kept = error == 0 ? PLF_KEPT_EAGERLY : PLF_KEPT_INHERITED;
}

/* The kernel's priority is set before a frame goes, so no thread that it covered comes between. */
static void commit_frames(void)
{
	struct plf_section *section;
	bool moved = false;

	while ((section = next_to_commit(PLF_KEPT_BY_FRAME)) != NULL) {
		keep_eagerly(section);
		moved = moved || !plf_frame_take_off(plf_number_of(section));
	}
	if (moved)
		plf_leave_place_behind();
}

/*
 * The sections are accounted for as eager before the claim goes, so that a base that is set
 * meanwhile is set below their ceilings.
 */
static void commit_claims(void)
{
	struct plf_section *section;

	while ((section = next_to_commit(PLF_KEPT_BY_CLAIM)) != NULL)
		keep_eagerly(section);
	plf_priority_take_over();
	plf_me.claims = 0;
}

/* With claims only these causes need a call, because the kernel raises a thread that sleeps. */
static bool needs_commit(enum plf_cause cause)
{
	return plf_me.published != 0 ||
	       (plf_me.claims != 0 && (cause == PLF_SCHEDULING_CALL || cause == PLF_PRIORITY_READ));
}

void plf_commit(enum plf_cause cause)
{
	if (!needs_commit(cause))
		return;
	plf_me.busy++;
	plf_counts.commits[cause]++;
	if (plf_me.published != 0)
		commit_frames();
	else if (cause == PLF_PRIORITY_READ)
		plf_claims_show();
	else
		commit_claims();
	plf_me.busy--;
}

void plf_commit_before_fork(void)
{
	if (plf_me.claims != 0)
		plf_commit(PLF_SCHEDULING_CALL);
}

void plf_commit_moved(void)
{
	plf_commit(PLF_MIGRATED);
	plf_unsettle(&plf_me);
}
