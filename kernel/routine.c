/* SPDX-License-Identifier: MIT */
/* See routine.h. */
#include "routine.h"
#include "cores.h"
#include "service.h"

static struct plf_routine {
	struct plf_masks masks;
} routines[PLF_CPUS]; /* of each core the one that runs */

static struct plf_routine *routine_of(const struct plf_core *core)
{
	return &routines[plf_index_of(core)];
}

struct plf_masks *plf_masks_of_routine(const struct plf_core *core)
{
	return &routine_of(core)->masks;
}

/* The first of those that it left out. */
static unsigned missing_service(const struct plf_masks *masks)
{
	if (masks->disabled)
		return PLF_CALL_ENABLE_ALL_INTERRUPTS;
	return masks->suspended_all ? PLF_CALL_RESUME_ALL_INTERRUPTS
				    : PLF_CALL_RESUME_OS_INTERRUPTS;
}

static void settle_masks(struct plf_core *core, struct plf_masks *masks)
{
	unsigned service = missing_service(masks);

	if (!plf_hold_back(masks))
		return;
	*masks = (struct plf_masks) { 0 };
	plf_error_of_call(core, E_OS_DISABLEDINT, service, 0, 0, 0);
}

void plf_settle_routine(struct plf_core *core)
{
	settle_masks(core, &routine_of(core)->masks);
}
