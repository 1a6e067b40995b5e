/* SPDX-License-Identifier: MIT */
#ifndef PLF_HOOK_H
#define PLF_HOOK_H

/*
 * The hooks of OSEK 2.2.3, Section 11, and AUTOSAR's ProtectionHook. They are trusted functions of
 * the application, which the kernel calls in its mode, with interrupts masked. The image contains
 * only hooks that the description names.
 */
#include "timing.h"

void StartupHook(void);
void ShutdownHook(StatusType status);
void ErrorHook(StatusType status);
void COMErrorHook(StatusType status); /* for errors of messages: OSEK COM 3.0.3 */
void PreTaskHook(void);
void PostTaskHook(void);
ProtectionReturnType ProtectionHook(StatusType status);

/* Call this after a task has become the running task. */
static inline void plf_pre_task(struct plf_core *core)
{
	if (PLF_PRETASK_HOOK) {
		uint16_t place = core->place;

		core->place = PLF_IN_PRETASK_HOOK;
		PreTaskHook();
		core->place = place;
	}
	if (PLF_BUDGETS)
		plf_own_time_begins(core);
}

/* Call this before the running task stops running. */
static inline void plf_post_task(struct plf_core *core)
{
	if (PLF_BUDGETS)
		plf_own_time_stops();
	if (PLF_POSTTASK_HOOK) {
		uint16_t place = core->place;

		core->place = PLF_IN_POSTTASK_HOOK;
		PostTaskHook();
		core->place = place;
	}
}

#endif
