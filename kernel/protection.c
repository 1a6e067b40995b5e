/* SPDX-License-Identifier: MIT */
/*
 * The end of a task that did something forbidden: AUTOSAR OS, ProtectionHook.
 *
 * PRO_TERMINATETASKISR ends its activation. That releases its resources, because they were only its
 * priority. PRO_TERMINATEAPPL and PRO_TERMINATEAPPL_RESTART end its application, if possible
 * (SWS_Os_00557). PRO_RETURN ends the call of a protected function. Every other answer shuts down,
 * as does a system without the hook (SWS_Os_00107).
 *
 * The hook must not ignore an error that ends a task (SWS_Os_00475). It may ignore an arrival that
 * comes too early, because that ends no task.
 */
#include "application.h"
#include "function.h"
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

/*
 * End the running task's application. If it is restarting, it is not restarted again: SWS_Os_00548.
 */
static bool end_application(struct plf_core *core, RestartType option)
{
	ApplicationType application = plf_application_of(core);

	if (!plf_can_end(application, option))
		return false;
	if (option == RESTART && plf_state_of_application(application) == APPLICATION_RESTARTING)
		return false;
	plf_terminate(core, application, option);
	return true;
}

/* Do as the hook answered. False: the system must end. */
static bool end_as(struct plf_core *core, ProtectionReturnType answer)
{
	if (PLF_TERMINATION && answer == PRO_TERMINATEAPPL)
		return end_application(core, NO_RESTART);
	if (PLF_TERMINATION && answer == PRO_TERMINATEAPPL_RESTART)
		return end_application(core, RESTART);
	if (answer != PRO_TERMINATETASKISR)
		return false;
	plf_end_activation(core);
	return true;
}

void plf_end_foul(struct plf_core *core, StatusType status)
{
	ProtectionReturnType answer = verdict(core, status);

	if (PLF_PROTECTED_FUNCTIONS && answer == PRO_RETURN && plf_force_return(core, status))
		return;
	if (!end_as(core, answer))
		plf_shut_down(status);
	plf_dispatch(core);
}

void plf_report_arrival(struct plf_core *core)
{
	if (PLF_TIME_FRAMES && verdict(core, E_OS_PROTECTION_ARRIVAL) != PRO_IGNORE)
		plf_shut_down(E_OS_PROTECTION_ARRIVAL);
}

void plf_fault(StatusType status)
{
	struct plf_core *core = plf_this_core();

	plf_take_time(core);
	plf_on_entry(core);
	plf_end_foul(core, status);
	plf_leave_kernel(core);
}
