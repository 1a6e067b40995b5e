/* SPDX-License-Identifier: MIT */
#ifndef PLF_APPLICATION_H
#define PLF_APPLICATION_H

/*
 * The states of OS-Applications: AUTOSAR OS 4.x, Section 7.6. In images with PLF_TERMINATION one
 * that was terminated is not accessible to others until it has restarted: to services of their
 * tasks and handlers, nor to their alarms and schedule tables. Else each is accessible always.
 */
#include "core.h"

extern uint8_t plf_application_state[PLF_APPLICATIONS + 1]; /* APPLICATION_ACCESSIBLE, ... */

/*
 * The one with whose rights the core executes something: of the trusted function that runs, else of
 * the routine, else of the task. INVALID_OSAPPLICATION: none does.
 */
ApplicationType plf_application_of(const struct plf_core *core);

/* With PLF_TRUSTED_FUNCTIONS: whose function runs; INVALID_OSAPPLICATION: none does. */
ApplicationType plf_provider_on(const struct plf_core *core);

/* Whether the objects of `owner` may be used by tasks, alarms and tables of `by`. */
static inline bool plf_is_open_to(ApplicationType owner, ApplicationType by)
{
	return !PLF_TERMINATION || owner == by ||
	       plf_application_state[owner] == APPLICATION_ACCESSIBLE;
}

/* Where it matters: whose an object is, of a kind of which there is one. */
static inline ApplicationType plf_owner_of(unsigned kind, unsigned object)
{
	return PLF_TERMINATION ? plf_object_kinds[kind].objects[object].application : 0;
}

/* Whether it can be ended that way: the kernel does not switch off sources of interrupts. */
static inline bool plf_can_end(unsigned application, RestartType option)
{
	const struct plf_application_config *config = &plf_application_config[application];

	return !config->has_interrupts && (option == NO_RESTART || config->restart != INVALID_TASK);
}

/* One that can be. The running task may have been one of it: then none runs. */
void plf_terminate(struct plf_core *core, unsigned application, RestartType option);

#endif
