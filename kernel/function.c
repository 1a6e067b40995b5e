/* SPDX-License-Identifier: MIT */
/* Protected functions: the portable part. See function.h. */
#include "function.h"
#include "plf_port_domain.h"
#include "port.h"
#include "service.h"

_Static_assert(!(PLF_PROTECTED_FUNCTIONS && PLF_TERMINATION),
	       "no application ends while a task of another one is in its functions");

/* Whether the running task is in a call. */
static bool is_inside(const struct plf_core *core)
{
	return plf_port_domain_of(core->running) != core->running->index;
}

ApplicationType plf_callee_on(const struct plf_core *core)
{
	return plf_domain_config[plf_port_domain_of(core->running)].application;
}

/* The port refused a call. Return the reason. */
struct plf_result plf_call_non_trusted_function(uintptr_t function, uintptr_t b, uintptr_t c,
						struct plf_core *core)
{
	if (function >= PLF_PROTECTED_FUNCTIONS)
		return plf_status(E_OS_SERVICEID);
	return plf_status(core->running->masked ? E_OS_DISABLEDINT : E_OS_ACCESS);
}

bool plf_is_refused_inside(const struct plf_core *core, uintptr_t number)
{
	if (!is_inside(core))
		return false;
	switch (number) {
	case PLF_CALL_TERMINATE_TASK:
	case PLF_CALL_CHAIN_TASK:
	case PLF_CALL_MISSING_TERMINATE:
	case PLF_CALL_SCHEDULE:
	case PLF_CALL_CLEAR_EVENT:
	case PLF_CALL_WAIT_EVENT:
	case PLF_CALL_GET_RESOURCE:
	case PLF_CALL_RELEASE_RESOURCE:
		return true;
	default:
		return number >= PLF_CALL_DISABLE_ALL_INTERRUPTS &&
		       number <= PLF_CALL_RESUME_OS_INTERRUPTS;
	}
}

bool plf_force_return(struct plf_core *core, StatusType status)
{
	if (!is_inside(core))
		return false;
	plf_port_force_return(core->running, status);
	return true;
}
