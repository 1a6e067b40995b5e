/* SPDX-License-Identifier: MIT */
#ifndef PLF_TIMING_H
#define PLF_TIMING_H

/*
 * Timing protection of tasks: AUTOSAR OS 4.x, Section 7.7.2. By software's fixed priorities, on one
 * core and without servers, where the description gives some task a budget or a time frame.
 *
 * Own time of a task is what it has the core for: from when PreTaskHook has ended to when
 * PostTaskHook begins, without the interrupts that come meanwhile. So its calls are its own, with
 * the hooks that are called in them; what others cause is not.
 *
 * Invariants between kernel entries:
 *  B1  while one of its budgets runs, the running task has used its `used_ns` and the time since
 *      `since_ns`; all others have used their `used_ns`, of what they had the core for;
 *  B2  the port's timer is set for the first end of the running task's budgets or for the first
 *      alarm that it lets through, whichever comes first;
 *  B3  a task holds alarms back, but no end of a budget: the port lets the timer through always;
 *  B4  a task with a time frame has had no two arrivals within one: activations, and events for
 *      which it waited.
 */
#include "core.h"

/* With PLF_BUDGETS: the running task has the core; and: it loses it, or an interrupt begins. */
void plf_own_time_begins(struct plf_core *core);
void plf_own_time_stops(void);

/* An interrupt is over: the task that runs, if any, is charged, if it is not yet. */
void plf_own_time_goes_on(struct plf_core *core);

/* It is suspended, or waits: its next execution has a whole budget (SWS_Os_00473). */
void plf_renew_budget(const struct plf_task *task);

/*
 * With PLF_LOCK_BUDGETS: what the running task holds back has changed, for which it has budgets of
 * its own (SWS_Os_00037); and: the task holds nothing back any more, and no resource, and does not
 * run.
 */
void plf_set_locks(struct plf_core *core);
void plf_forget_locks(const struct plf_task *task);

/* With PLF_RESOURCE_LOCKS: it has got that resource, or has released it (SWS_Os_00033). */
void plf_set_resource_lock(struct plf_core *core, uintptr_t resource, bool is_held);

/* Once, before the core starts. */
void plf_prepare_budgets(void);

/* The port's timer has come. False: that was for a budget, or is for later. */
bool plf_timer_is_for_no_budget(struct plf_core *core);

/* The first alarm expires then; UINT64_MAX: none. */
void plf_first_alarm_is(struct plf_core *core, uint64_t at_ns);

/* The running task's masks have changed, or no task runs any more. */
void plf_set_budget_timer(struct plf_core *core);

/*
 * With PLF_TIME_FRAMES: the task is about to be activated, or was woken. True: that comes too
 * early, ProtectionHook was called, and it is not to be done; one that was woken waits again.
 */
bool plf_comes_early(struct plf_core *core, const struct plf_task *task);
bool plf_wakes_early(struct plf_core *core, struct plf_task *task);

/* What follows arrives when it was due, which has come; 0: now, as all that is not due. */
void plf_arrives_as_due(uint64_t due_ns);

/* Its frame is over, whenever it began. */
void plf_forget_frame(const struct plf_task *task);

#endif
