/* SPDX-License-Identifier: MIT */
#ifndef PLF_APPLICATION_HOOKS_H
#define PLF_APPLICATION_HOOKS_H

/* The hooks of OS-Applications: see application_hooks.c. Of images with PLF_APPLICATION_HOOKS. */
#include "core.h"

/* By application, and behind the last one; NULL: there is none of these. */
struct plf_application_hooks {
	void (*startup)(void);
	void (*error)(StatusType status);
	void (*shutdown)(StatusType status);
};
extern const struct plf_application_hooks plf_application_hooks[PLF_APPLICATIONS + 1];

void plf_call_startup_hooks(const struct plf_core *core);
void plf_call_shutdown_hooks(const struct plf_core *core, StatusType status);

/* The system's, and that of the application that caused the error, if one did. */
void plf_call_error_hooks(const struct plf_core *core, StatusType status);

/* Whose hook runs; INVALID_OSAPPLICATION: none does. */
ApplicationType plf_application_of_hook(const struct plf_core *core);

/*
 * From now on errors are those of the application's alarm, table or message, and not of what runs;
 * INVALID_OSAPPLICATION: of what runs again.
 */
void plf_acts_for(const struct plf_core *core, ApplicationType application);

static inline bool plf_is_application_hook(const struct plf_core *core)
{
	return PLF_APPLICATION_HOOKS && plf_application_of_hook(core) != INVALID_OSAPPLICATION;
}

#endif
