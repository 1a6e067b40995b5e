/* SPDX-License-Identifier: MIT */
/*
 * ErrorHook: OSEK 2.2.3, Section 11; and COMErrorHook of OSEK COM 3.0.3. They are not called for
 * errors of services that an error hook or ShutdownHook calls.
 */
#include "application_hooks.h"
#include "cores.h"
#include "hook.h"
#include "os_com_types.h"
#include "service.h"

OSServiceIdType OSErrorGetServiceId(void)
{
	return plf_this_core()->service_of_error;
}

static bool is_of_messages(unsigned service)
{
	return PLF_MESSAGES && service >= PLF_CALL_SEND_MESSAGE;
}

static bool is_for_hook(const struct plf_core *core, StatusType status)
{
	return (PLF_ERROR_HOOK || PLF_COM_ERROR_HOOK) && status != E_OK &&
	       !(core->place & (PLF_IN_ERROR_HOOK | PLF_IN_SHUTDOWN_HOOK));
}

COMServiceIdType COMErrorGetServiceId(void)
{
	return plf_this_core()->service_of_error;
}

/* Only in images with parameters. For each core, the parameters of the error that it handles. */
static uintptr_t parameters[PLF_CPUS][PLF_PARAMETERS];

uintptr_t plf_error_parameter(unsigned place)
{
	return parameters[plf_index_of(plf_this_core())][place];
}

/*
 * Services that ErrorHook itself calls keep nothing, so it still reads the parameters of the first
 * error.
 */
void plf_keep_parameters(const struct plf_core *core, StatusType status, uintptr_t a, uintptr_t b,
			 uintptr_t c)
{
	uintptr_t *kept = parameters[plf_index_of(core)];

	if (!is_for_hook(core, status))
		return;
	kept[0] = a;
	kept[1] = b;
	kept[2] = c;
}

static void call_hooks(const struct plf_core *core, StatusType status)
{
	if (PLF_APPLICATION_HOOKS)
		plf_call_error_hooks(core, status);
	else
		ErrorHook(status);
}

void plf_error(struct plf_core *core, StatusType status, unsigned service)
{
	uint16_t place = core->place;

	if (!is_for_hook(core, status))
		return;
	core->place = PLF_IN_ERROR_HOOK | (place & PLF_IN_TASK_HOOKS);
	core->service_of_error = (OSServiceIdType)service;
	if (PLF_COM_ERROR_HOOK && is_of_messages(service))
		COMErrorHook(status);
	else if (PLF_ERROR_HOOK && !is_of_messages(service))
		call_hooks(core, status);
	core->place = place;
}
