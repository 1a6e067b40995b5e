/* SPDX-License-Identifier: MIT */
/*
 * The end of a task that did something forbidden: AUTOSAR OS, ProtectionHook.
 *
 * PRO_TERMINATETASKISR ends its activation. That releases its resources: they were
 * nothing but its priority. Every other answer shuts down, as does a system without the hook
 * (SWS_Os_00107): applications are not terminated, and a memory or processor fault is not to be
 * ignored.
 */
#include "hook.h"
#include "plf_schedule.h"
#include "port.h"
#include "server.h"
#include "service.h"

static ProtectionReturnType verdict(struct plf_core *core, StatusType status)
{
	uint16_t place = core->place;
	ProtectionReturnType answer;

	if (!PLF_PROTECTION_HOOK)
		return PRO_SHUTDOWN;
	core->place = PLF_IN_PROTECTION_HOOK;
	answer = ProtectionHook(status);
	core->place = place;
	return answer;
}

void plf_end_foul(struct plf_core *core, StatusType status)
{
	if (verdict(core, status) != PRO_TERMINATETASKISR)
		plf_shut_down(status);
	plf_end_activation(core);
	plf_dispatch(core);
}

void plf_fault(StatusType status)
{
	struct plf_core *core = plf_this_core();

	plf_take_time(core);
	plf_on_entry(core);
	plf_end_foul(core, status);
	plf_leave_kernel(core);
}
