/* SPDX-License-Identifier: MIT */
/* ErrorHook: OSEK 2.2.3, Section 11.1. Not for errors of services that it or the last hook calls.
 */
#include "hook.h"
#include "service.h"

OSServiceIdType OSErrorGetServiceId(void)
{
	return plf_this_core()->service_of_error;
}

void plf_error(struct plf_core *core, StatusType status, unsigned service)
{
	uint16_t place = core->place;

	if (!PLF_ERROR_HOOK || status == E_OK || place & (PLF_IN_ERROR_HOOK | PLF_IN_SHUTDOWN_HOOK))
		return;
	core->place = PLF_IN_ERROR_HOOK;
	core->service_of_error = (OSServiceIdType)service;
	ErrorHook(status);
	core->place = place;
}
