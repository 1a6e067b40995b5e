/* SPDX-License-Identifier: MIT */
#ifndef PLF_APPLICATION_H
#define PLF_APPLICATION_H

/*
 * The states of OS-Applications: AUTOSAR OS 4.x, Section 7.6. In images with PLF_TERMINATION, a
 * terminated application is not accessible to others until it has restarted. This holds for
 * services of their tasks and handlers, and for their alarms and schedule tables. In other images
 * every application is always accessible.
 */
#include "core.h"

extern uint8_t plf_application_state[PLF_APPLICATIONS + 1]; /* APPLICATION_ACCESSIBLE, ... */

/* All cores read the state. Only the application's core writes it. */
static inline unsigned plf_state_of_application(unsigned application)
{
	return __atomic_load_n(&plf_application_state[application], __ATOMIC_RELAXED);
}

static inline void plf_set_application_state(unsigned application, unsigned state)
{
	__atomic_store_n(&plf_application_state[application], (uint8_t)state, __ATOMIC_RELAXED);
}

/*
 * Return the application whose rights the core's code has. The rights are those of the application
 * hook or trusted function that runs, else of the routine, else of the task. INVALID_OSAPPLICATION:
 * none of these runs.
 */
ApplicationType plf_application_of(const struct plf_core *core);

/*
 * With PLF_TRUSTED_FUNCTIONS: the application whose function runs; INVALID_OSAPPLICATION: none
 * runs.
 */
ApplicationType plf_provider_on(const struct plf_core *core);

/* Return whether tasks, alarms and tables of `by` may use the objects of `owner`. */
static inline bool plf_is_open_to(ApplicationType owner, ApplicationType by)
{
	return !PLF_TERMINATION || owner == by ||
	       plf_state_of_application(owner) == APPLICATION_ACCESSIBLE;
}

/* Whether the kernel checks the owner of an alarm, table or message that acts on a task. */
#define PLF_OWNERS_MATTER (PLF_TERMINATION || PLF_APPLICATION_HOOKS)

/*
 * Return the owner of an object if the kernel checks owners, else 0. An object of that kind must
 * exist.
 */
static inline ApplicationType plf_owner_of(unsigned kind, unsigned object)
{
	return PLF_OWNERS_MATTER ? plf_object_kinds[kind].objects[object].application : 0;
}

/* Return whether the application can be ended with that option. */
static inline bool plf_can_end(unsigned application, RestartType option)
{
	return option == NO_RESTART || plf_application_config[application].restart != INVALID_TASK;
}

/*
 * End an application for which plf_can_end() is true. If the running task belongs to it, no task
 * runs afterwards.
 */
void plf_terminate(struct plf_core *core, unsigned application, RestartType option);

#endif
