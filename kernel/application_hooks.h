/* SPDX-License-Identifier: MIT */
#ifndef PLF_APPLICATION_HOOKS_H
#define PLF_APPLICATION_HOOKS_H

/* The hooks of OS-Applications, in images with PLF_APPLICATION_HOOKS: see application_hooks.c. */
#include "core.h"

/* By application, with an entry of NULLs at the end. NULL: the application has no such hook. */
struct plf_application_hooks {
	void (*startup)(void);
	void (*error)(StatusType status);
	void (*shutdown)(StatusType status);
};
extern const struct plf_application_hooks plf_application_hooks[PLF_APPLICATIONS + 1];

void plf_call_startup_hooks(const struct plf_core *core);
void plf_call_shutdown_hooks(const struct plf_core *core, StatusType status);

/* Call the system's error hook, and the hook of the application that caused the error, if any. */
void plf_call_error_hooks(const struct plf_core *core, StatusType status);

/* Return the application whose hook runs; INVALID_OSAPPLICATION: no such hook runs. */
ApplicationType plf_application_of_hook(const struct plf_core *core);

/*
 * From now on, errors belong to this application, whose alarm, table or message acts.
 * INVALID_OSAPPLICATION: errors belong to the running code again.
 */
void plf_acts_for(const struct plf_core *core, ApplicationType application);

static inline bool plf_is_application_hook(const struct plf_core *core)
{
	return PLF_APPLICATION_HOOKS && plf_application_of_hook(core) != INVALID_OSAPPLICATION;
}

#endif
