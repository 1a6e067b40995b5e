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

/* All cores ask; the application's own says it. */
static inline unsigned plf_state_of_application(unsigned application)
{
	return __atomic_load_n(&plf_application_state[application], __ATOMIC_RELAXED);
}

static inline void plf_set_application_state(unsigned application, unsigned state)
{
	__atomic_store_n(&plf_application_state[application], (uint8_t)state, __ATOMIC_RELAXED);
}

/*
 * The one with whose rights the core executes something: of its hook or of the trusted function
 * that runs, else of the routine, else of the task. INVALID_OSAPPLICATION: none does.
 */
ApplicationType plf_application_of(const struct plf_core *core);

/* With PLF_TRUSTED_FUNCTIONS: whose function runs; INVALID_OSAPPLICATION: none does. */
ApplicationType plf_provider_on(const struct plf_core *core);

/* Whether the objects of `owner` may be used by tasks, alarms and tables of `by`. */
static inline bool plf_is_open_to(ApplicationType owner, ApplicationType by)
{
	return !PLF_TERMINATION || owner == by ||
	       plf_state_of_application(owner) == APPLICATION_ACCESSIBLE;
}

/* Whether the kernel asks whose alarm, table or message does something to a task. */
#define PLF_OWNERS_MATTER (PLF_TERMINATION || PLF_APPLICATION_HOOKS)

/* Where it does: whose an object is, of a kind of which there is one. */
static inline ApplicationType plf_owner_of(unsigned kind, unsigned object)
{
	return PLF_OWNERS_MATTER ? plf_object_kinds[kind].objects[object].application : 0;
}

/* Whether it can be ended that way. */
static inline bool plf_can_end(unsigned application, RestartType option)
{
	return option == NO_RESTART || plf_application_config[application].restart != INVALID_TASK;
}

/* One that can be. The running task may have been one of it: then none runs. */
void plf_terminate(struct plf_core *core, unsigned application, RestartType option);

#endif
