/* SPDX-License-Identifier: MIT */
/*
 * CallTrustedFunction and CheckTaskMemoryAccess: AUTOSAR OS 4.x, Section 8.4.
 *
 * A trusted function runs on the kernel's stack to its end, with interrupts of category 2 held
 * back, like the callback of a message. Tasks that it makes ready run after it. User code passes
 * any parameters, and the kernel hands them on. So the function must check the task's access to
 * them.
 *
 * Invariants:
 *  F1  if no function runs on a core, the core has no provider;
 *  F2  a function calls no other function, so the kernel's stack has a bound.
 */
#include "application.h"
#include "cores.h"
#include "plf_schedule.h"
#include "port.h"
#include "service.h"

static uint8_t providers[PLF_CPUS]; /* 1 + the application; 0: none */

/* 0 - 1 is INVALID_OSAPPLICATION. */
ApplicationType plf_provider_on(const struct plf_core *core)
{
	return (ApplicationType)(providers[plf_index_of(core)] - 1);
}

static void call(struct plf_core *core, const struct plf_trusted_function *function,
		 uintptr_t parameters)
{
	uint16_t place = core->place;

	core->place = PLF_IN_TRUSTED_FUNCTION;
	providers[plf_index_of(core)] = (uint8_t)(function->application + 1);
	function->call((TrustedFunctionIndexType)(function - plf_trusted_functions),
		       (TrustedFunctionParameterRefType)parameters);
	providers[plf_index_of(core)] = 0;
	core->place = place;
}

/* SWS_Os_00623 and 00509. */
static bool may_call(const struct plf_core *core, const struct plf_trusted_function *function)
{
	return function->cores >> plf_index_of(core) & 1 &&
	       plf_is_open_to(function->application, plf_application_of(core));
}

struct plf_result plf_call_trusted_function(uintptr_t index, uintptr_t parameters, uintptr_t c,
					    struct plf_core *core)
{
	if (index >= PLF_TRUSTED_FUNCTIONS)
		return plf_status(E_OS_SERVICEID);
	if (!may_call(core, &plf_trusted_functions[index]))
		return plf_status(E_OS_ACCESS);
	call(core, &plf_trusted_functions[index], parameters);
	if (core->place == PLF_IN_TASK)
		plf_preempt_if_due(core);
	return plf_status(E_OK);
}

/* Comparing the sum detects a size that wraps around. Time grows with the pages of the range. */
struct plf_result plf_check_task_memory_access(uintptr_t task, uintptr_t address, uintptr_t size,
					       struct plf_core *core)
{
	if (task >= PLF_TASKS || size == 0 || address + (size - 1) < address)
		return plf_value(0);
	return plf_value(plf_port_access_of(&plf_tasks[task], address, size));
}
