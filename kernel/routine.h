/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROUTINE_H
#define PLF_ROUTINE_H

/*
 * The state that the routine of an interrupt of category 2 holds. If no routines nest, a routine
 * runs with interrupts masked, so it needs nothing of this to be alone. The kernel then keeps the
 * state only to report errors.
 *
 * If routines nest (PLF_NESTING), a routine of a higher level may interrupt a routine's code while
 * that holds nothing, and runs to its end. The routines that have begun are a stack, which is the
 * kernel's stack. Its top runs.
 *
 * Invariants:
 *  R1  if no routine runs, nothing is held; an interrupted routine holds nothing either;
 *  R2  while a routine runs, no task is in a section of a resource of the routine. Such a resource
 *      has at least the level of interrupts, and the scheduler lets no routine begin below a task's
 *      level. So the routine's resources are always free;
 *  R3  interrupts come in the kernel's mode only while the top routine executes its code and holds
 *      nothing. `place` is PLF_IN_ISR then. So services, hooks, callbacks and the timer's work are
 *      not interrupted, and an interrupt that finds PLF_IN_ISR interrupted a routine;
 *  R4  levels rise strictly from the bottom of the stack to its top, because only interrupts above
 *      all active ones come. So there are at most PLF_NESTING routines, and another of category 1.
 */
#include "core.h"
#include "port.h"

/* True if an error can be reported, or something must be given back. */
#define PLF_ROUTINES_ARE_CHECKED                                                                   \
	(PLF_ISRS && (PLF_EXTENDED_STATUS || PLF_ERROR_HOOK || PLF_ISR_RESOURCES ||                \
		      PLF_APPLICATIONS || PLF_NESTING))

/* True if rights depend on the routine, or if several routines can be active. */
#define PLF_ROUTINES_ARE_KNOWN (PLF_ISRS && (PLF_ISR_RESOURCES || PLF_APPLICATIONS || PLF_NESTING))

/* Return the masks of the routine that runs on the core. */
struct plf_masks *plf_masks_of_routine(const struct plf_core *core);

/*
 * Note that the routine of plf_isr_config[isr] begins. This and the next: with
 * PLF_ROUTINES_ARE_KNOWN.
 */
void plf_begin_routine(struct plf_core *core, unsigned isr);

/* Return the routine that runs; INVALID_ISR: none runs. */
ISRType plf_running_routine(const struct plf_core *core);

/*
 * The routine has ended. Give back all that it still holds, and call ErrorHook. E_OS_DISABLEDINT
 * comes once for all masks (AUTOSAR, SWS_Os_00368). Then E_OS_RESOURCE comes once for all
 * resources, and names the resource entered last (SWS_Os_00369).
 */
void plf_settle_routine(struct plf_core *core);

/* Whether a handler may end its application. It may not if routines nest. */
#define PLF_HANDLERS_MAY_END (PLF_ISRS && PLF_TERMINATION)
_Static_assert(!PLF_NESTING || !PLF_TERMINATION, "a handler that is interrupted does not end");

/*
 * With PLF_HANDLERS_MAY_END: call the handler. Returns when the handler has ended, or when the
 * kernel left it inside a service. In the latter case it holds nothing, and no error is reported.
 */
void plf_call_handler(struct plf_core *core, unsigned isr);
_Noreturn void plf_leave_handler(struct plf_core *core);

/* With PLF_NESTING: an interrupted routine runs again; INVALID_ISR: none was interrupted. */
void plf_return_to_routine(struct plf_core *core, ISRType isr);

/*
 * With PLF_NESTING: the kernel returns to the code that called it. If that is a routine, interrupts
 * come as the routine's masks allow. All other code of the kernel's mode runs with interrupts
 * masked (R3).
 */
void plf_let_nest(const struct plf_core *core);

/* The opposite: from here on, nothing interrupts the kernel. */
static inline void plf_let_none_nest(void)
{
	plf_port_mask_routine(true, true);
}

static inline void plf_run_routine(struct plf_core *core, unsigned isr)
{
	ISRType interrupted = PLF_NESTING ? plf_running_routine(core) : INVALID_ISR;

	if (PLF_ROUTINES_ARE_KNOWN)
		plf_begin_routine(core, isr);
	if (PLF_HANDLERS_MAY_END)
		plf_call_handler(core, isr);
	else if (PLF_NESTING)
		plf_port_run_routine(plf_isr_config[isr].handler);
	else
		plf_isr_config[isr].handler();
	if (PLF_ROUTINES_ARE_CHECKED)
		plf_settle_routine(core);
	if (PLF_NESTING)
		plf_return_to_routine(core, interrupted);
}

static inline bool plf_hold_back(const struct plf_masks *masks)
{
	return masks->disabled || masks->suspended_all || masks->suspended_os;
}

/* Return whether the caller is a routine that holds interrupts back. Only in extended status. */
static inline bool plf_is_masked_routine(const struct plf_core *core)
{
	return PLF_ISRS && PLF_EXTENDED_STATUS && core->place == PLF_IN_ISR &&
	       plf_hold_back(plf_masks_of_routine(core));
}

#endif
