/* SPDX-License-Identifier: MIT */
/*
 * The hooks of OS-Applications: AUTOSAR OS 4.x, Section 7.12. They run on the application's core,
 * in the kernel's mode, with the application's rights (SWS_Os_00225, 00226 and 00085). At the start
 * they run after the system's hook (SWS_Os_00236), at the end before it (SWS_Os_00237). For an
 * error of the application they run after it (SWS_Os_00246).
 */
#include "application_hooks.h"
#include "application.h"
#include "cores.h"
#include "hook.h"

/* For each core: 1 + an application; 0: none. */
static struct of_core {
	uint8_t hook; /* its hook runs */
	uint8_t acts; /* its alarm, table or message acts on a task */
} of_core[PLF_CPUS];

static struct of_core *of(const struct plf_core *core)
{
	return &of_core[plf_index_of(core)];
}

static ApplicationType application_in(uint8_t entry)
{
	return entry ? (ApplicationType)(entry - 1) : INVALID_OSAPPLICATION;
}

ApplicationType plf_application_of_hook(const struct plf_core *core)
{
	return application_in(of(core)->hook);
}

void plf_acts_for(const struct plf_core *core, ApplicationType application)
{
	of(core)->acts = application == INVALID_OSAPPLICATION ? 0 : (uint8_t)(application + 1);
}

static bool is_here(const struct plf_core *core, unsigned application)
{
	return plf_is_own(core, plf_application_config[application].core);
}

void plf_call_startup_hooks(const struct plf_core *core)
{
	for (unsigned application = 0; application < PLF_APPLICATIONS; application++) {
		if (!plf_application_hooks[application].startup || !is_here(core, application))
			continue;
		of(core)->hook = (uint8_t)(application + 1);
		plf_application_hooks[application].startup();
	}
	of(core)->hook = 0;
}

void plf_call_shutdown_hooks(const struct plf_core *core, StatusType status)
{
	for (unsigned application = 0; application < PLF_APPLICATIONS; application++) {
		if (!plf_application_hooks[application].shutdown || !is_here(core, application))
			continue;
		of(core)->hook = (uint8_t)(application + 1);
		plf_application_hooks[application].shutdown(status);
	}
	of(core)->hook = 0;
}

static ApplicationType at_fault(const struct plf_core *core)
{
	uint8_t acts = of(core)->acts;

	return acts ? application_in(acts) : plf_application_of(core);
}

/* The error may have occurred in another such hook. */
void plf_call_error_hooks(const struct plf_core *core, StatusType status)
{
	ApplicationType by = at_fault(core);
	unsigned application = by == INVALID_OSAPPLICATION ? PLF_APPLICATIONS : by;
	uint8_t before = of(core)->hook;

	of(core)->hook = 0;
	if (PLF_SYSTEM_ERROR_HOOK)
		ErrorHook(status);
	if (plf_application_hooks[application].error) {
		of(core)->hook = (uint8_t)(application + 1);
		plf_application_hooks[application].error(status);
	}
	of(core)->hook = before;
}
