/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROUTINE_H
#define PLF_ROUTINE_H

/*
 * What the routine of an interrupt of category 2 holds. It runs with interrupts masked, so it needs
 * none of that to be alone; the kernel keeps account of it for the errors that it has to report.
 *
 * Invariant: where no routine runs, it holds nothing.
 */
#include "core.h"

/* Only where an error can be seen. */
#define PLF_ROUTINES_ARE_CHECKED (PLF_ISRS && (PLF_EXTENDED_STATUS || PLF_ERROR_HOOK))

/* Of the routine that runs on the core. */
struct plf_masks *plf_masks_of_routine(const struct plf_core *core);

/*
 * It has ended. What it still holds is given back, and ErrorHook is called: with E_OS_DISABLEDINT
 * once for all that holds interrupts back (AUTOSAR, SWS_Os_00368).
 */
void plf_settle_routine(struct plf_core *core);

static inline bool plf_hold_back(const struct plf_masks *masks)
{
	return masks->disabled || masks->suspended_all || masks->suspended_os;
}

/* Whether the caller is a routine that holds interrupts back: extended status. */
static inline bool plf_is_masked_routine(const struct plf_core *core)
{
	return PLF_ISRS && PLF_EXTENDED_STATUS && core->place == PLF_IN_ISR &&
	       plf_hold_back(plf_masks_of_routine(core));
}

#endif
