/* SPDX-License-Identifier: MIT */
/*
 * GetISRID of AUTOSAR OS. The interrupt controller knows what is active, so no interrupt keeps
 * account of it; the answer grows with the handlers of the description.
 *
 * A handler has ended before PostTaskHook and PreTaskHook run for what it made ready, but its
 * interrupt is active until the kernel is left.
 */
#include "cores.h"
#include "plf_call.h"
#include "port.h"
#include "routine.h"

/* Where no routine of category 2 runs, or one of category 1 in it. */
enum { OF_NO_ROUTINE = PLF_IN_TASK_HOOKS | (PLF_NESTING ? PLF_IN_CATEGORY_1 : 0) };

ISRType GetISRID(void)
{
	if (plf_this_core()->place & OF_NO_ROUTINE)
		return INVALID_ISR;
	if (PLF_ROUTINES_ARE_KNOWN)
		return plf_running_routine(plf_this_core()); /* another one is active, too */
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (!plf_is_category_1(isr) &&
		    plf_is_own(plf_this_core(), plf_isr_config[isr].core) &&
		    plf_port_is_active(plf_isr_config[isr].source))
			return (ISRType)isr;
	return INVALID_ISR;
}
