/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROUTINE_H
#define PLF_ROUTINE_H

/*
 * What the routine of an interrupt of category 2 holds. It runs with interrupts masked, so it needs
 * none of that to be alone; the kernel keeps account of it for the errors that it has to report.
 *
 * Invariants:
 *  R1  where no routine runs, it holds nothing;
 *  R2  while a routine runs, no task is in a section of one of its resources: the level of these is
 *      that of interrupts at least, and the scheduler lets no routine begin above which a task is.
 *      So what a routine asks for is always there.
 */
#include "core.h"

/* Only where an error can be seen, or something has to be given back. */
#define PLF_ROUTINES_ARE_CHECKED                                                                   \
	(PLF_ISRS &&                                                                               \
	 (PLF_EXTENDED_STATUS || PLF_ERROR_HOOK || PLF_ISR_RESOURCES || PLF_APPLICATIONS))

/* Where it depends on the routine what it may use. */
#define PLF_ROUTINES_ARE_KNOWN (PLF_ISRS && (PLF_ISR_RESOURCES || PLF_APPLICATIONS))

/* Of the routine that runs on the core. */
struct plf_masks *plf_masks_of_routine(const struct plf_core *core);

/* That of plf_isr_config[isr] begins. Of images with PLF_ROUTINES_ARE_KNOWN, as the next. */
void plf_begin_routine(struct plf_core *core, unsigned isr);

/* Which one runs; INVALID_ISR: none. */
ISRType plf_running_routine(const struct plf_core *core);

/*
 * It has ended. What it still holds is given back, and ErrorHook is called: with E_OS_DISABLEDINT
 * once for all that holds interrupts back (AUTOSAR, SWS_Os_00368), and then with E_OS_RESOURCE once
 * for all resources, of which the one entered last is named (SWS_Os_00369).
 */
void plf_settle_routine(struct plf_core *core);

/* Whether a handler may end what it belongs to. */
#define PLF_HANDLERS_MAY_END (PLF_ISRS && PLF_TERMINATION)

/*
 * Where that may be: calls the handler, and returns when that has ended, or when the kernel left it
 * out of a service that it called. Then it holds nothing any more, and no error is reported.
 */
void plf_call_handler(struct plf_core *core, unsigned isr);
_Noreturn void plf_leave_handler(struct plf_core *core);

static inline void plf_run_routine(struct plf_core *core, unsigned isr)
{
	if (PLF_ROUTINES_ARE_KNOWN)
		plf_begin_routine(core, isr);
	if (PLF_HANDLERS_MAY_END)
		plf_call_handler(core, isr);
	else
		plf_isr_config[isr].handler();
	if (PLF_ROUTINES_ARE_CHECKED)
		plf_settle_routine(core);
}

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
