/* SPDX-License-Identifier: MIT */
#ifndef PLF_TIMING_H
#define PLF_TIMING_H

/*
 * Timing protection of tasks: AUTOSAR OS 4.x, Section 7.7.2. Only with fixed priorities in
 * software, on a single core and without servers, if the description gives some task a budget or a
 * time frame.
 *
 * The own time of a task is the time for which it has the core, from the end of PreTaskHook to the
 * begin of PostTaskHook, without interrupts. It contains the task's calls and the hooks in them,
 * but nothing that other tasks or interrupts cause.
 *
 * Invariants between kernel entries:
 *  B1  while a budget of the running task runs, the task has used its `used_ns` and the time since
 *      `since_ns`. All other tasks have used their `used_ns`;
 *  B2  the port's timer is set for the first end of the running task's budgets or for the first
 *      alarm that it lets through, whichever comes first;
 *  B3  a task can hold back alarms but not the end of a budget, because the port always lets the
 *      timer through;
 *  B4  a task with a time frame has at most one arrival within a frame. Activations and awaited
 *      events are arrivals.
 */
#include "core.h"

/* With PLF_BUDGETS: the running task has the core; it loses the core, or an interrupt begins. */
void plf_own_time_begins(struct plf_core *core);
void plf_own_time_stops(void);

/* An interrupt is over. From now on the running task, if any, is charged. */
void plf_own_time_goes_on(struct plf_core *core);

/* The task is suspended or waits, so its next execution has a whole budget (SWS_Os_00473). */
void plf_renew_budget(const struct plf_task *task);

/*
 * With PLF_LOCK_BUDGETS. plf_set_locks(): the running task's masks have changed, for which it has
 * separate budgets (SWS_Os_00037). plf_forget_locks(): the task no longer runs, and holds no masks
 * and no resource.
 */
void plf_set_locks(struct plf_core *core);
void plf_forget_locks(const struct plf_task *task);

/* With PLF_RESOURCE_LOCKS: the running task has got or released that resource (SWS_Os_00033). */
void plf_set_resource_lock(struct plf_core *core, uintptr_t resource, bool is_held);

/* Called once before the core starts. */
void plf_prepare_budgets(void);

/* The port's timer has come. False: it was for a budget, or it came too early for an alarm. */
bool plf_timer_is_for_no_budget(struct plf_core *core);

/* The first alarm expires at that time; UINT64_MAX: there is no alarm. */
void plf_first_alarm_is(struct plf_core *core, uint64_t at_ns);

/* The running task's masks have changed, or no task runs any more. */
void plf_set_budget_timer(struct plf_core *core);

/*
 * With PLF_TIME_FRAMES: the task is about to be activated, or was woken. True: it comes too early,
 * and ProtectionHook was called. Then the caller must not activate it; a woken task waits again.
 */
bool plf_comes_early(struct plf_core *core, const struct plf_task *task);
bool plf_wakes_early(struct plf_core *core, struct plf_task *task);

/* The next arrivals count from `due_ns`, which has passed; 0: from now, as arrivals usually do. */
void plf_arrives_as_due(uint64_t due_ns);

/* End the task's frame, whenever it began. */
void plf_forget_frame(const struct plf_task *task);

#endif
