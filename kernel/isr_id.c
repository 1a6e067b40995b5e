/* SPDX-License-Identifier: MIT */
/*
 * GetISRID() of AUTOSAR OS. The interrupt controller knows the active interrupts, so the kernel
 * does not record them. The time grows with the handlers of the description.
 *
 * A handler has ended before PostTaskHook and PreTaskHook run for the tasks that it made ready. But
 * its interrupt is active until the kernel is left.
 */
#include "cores.h"
#include "plf_call.h"
#include "port.h"
#include "routine.h"

/* Places in which no routine of category 2 runs, or a routine of category 1 interrupted it. */
enum { OF_NO_ROUTINE = PLF_IN_TASK_HOOKS | (PLF_NESTING ? PLF_IN_CATEGORY_1 : 0) };

ISRType GetISRID(void)
{
	if (plf_this_core()->place & OF_NO_ROUTINE)
		return INVALID_ISR;
	if (PLF_ROUTINES_ARE_KNOWN)
		return plf_running_routine(plf_this_core()); /* several may be active */
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (!plf_is_category_1(isr) &&
		    plf_is_own(plf_this_core(), plf_isr_config[isr].core) &&
		    plf_port_is_active(plf_isr_config[isr].source))
			return (ISRType)isr;
	return INVALID_ISR;
}
