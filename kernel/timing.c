/* SPDX-License-Identifier: MIT */
/* See timing.h. There is a single core. */
#include "timing.h"

#include "cores.h"
#include "plf_schedule.h"
#include "port.h"
#include "resource.h"
#include "service.h"

enum {
	EXECUTION,
	ALL_LOCKED,
	OS_LOCKED,
	/* the first running budget of a resource */
	RESOURCE_LOCKED = OS_LOCKED + (PLF_RESOURCE_LOCKS > 0),
	ALL_LIMITS,
	LIMITS = PLF_LOCK_BUDGETS ? ALL_LIMITS : 1,
};

static struct timed {
	uint64_t used_ns; /* own time since the start */
	/* own time at which a budget is used up; UINT64_MAX: it does not run */
	uint64_t ends_ns[ALL_LIMITS];
	uint64_t frame_ends_ns; /* no arrival is allowed before this instant */
} timed[PLF_TASKS];

/* Own time at which each resource budget is used up; UINT64_MAX: it does not run. */
static uint64_t resource_ends_ns[PLF_RESOURCE_LOCKS + 1];

static struct {
	struct timed *task; /* the task whose own time runs; NULL: no task with a budget */
	uint64_t since_ns;
	uint64_t until_ns; /* the end of its budget, if nothing stops it; UINT64_MAX: never */
	uint64_t alarm_ns; /* the first alarm; UINT64_MAX: none */
} charged;

static uint64_t due_ns; /* set by plf_arrives_as_due() */

/* ---- Own time --------------------------------------------------------------------- */

void plf_set_budget_timer(struct plf_core *core)
{
	bool held_back = core->running && core->running->masked;

	if (held_back || charged.until_ns < charged.alarm_ns)
		plf_port_set_timer(charged.until_ns);
	else
		plf_port_set_timer(charged.alarm_ns);
}

void plf_own_time_stops(void)
{
	if (!charged.task)
		return;
	charged.task->used_ns += plf_port_now_ns() - charged.since_ns;
	charged.task = NULL;
	charged.until_ns = UINT64_MAX;
}

static uint64_t first_end_ns(const struct timed *task)
{
	uint64_t first_ns = task->ends_ns[EXECUTION];

	for (unsigned limit = 1; limit < LIMITS; limit++)
		if (task->ends_ns[limit] < first_ns)
			first_ns = task->ends_ns[limit];
	return first_ns;
}

/* If the budget is already used up, it ends now, and the timer comes at once. */
static void charge(struct timed *task, uint64_t ends_ns)
{
	charged.task = task;
	charged.since_ns = plf_port_now_ns();
	charged.until_ns = charged.since_ns;
	if (task->used_ns < ends_ns)
		charged.until_ns += ends_ns - task->used_ns;
}

void plf_own_time_begins(struct plf_core *core)
{
	struct timed *task = &timed[core->running->index];
	uint64_t ends_ns = first_end_ns(task);

	if (ends_ns != UINT64_MAX)
		charge(task, ends_ns);
	plf_set_budget_timer(core);
}

void plf_own_time_goes_on(struct plf_core *core)
{
	if (core->running && !charged.task)
		plf_own_time_begins(core);
}

static void renew(unsigned index)
{
	uint64_t budget_ns = plf_timing_config[index].budget_ns;

	timed[index].ends_ns[EXECUTION] = budget_ns ? timed[index].used_ns + budget_ns : UINT64_MAX;
}

void plf_renew_budget(const struct plf_task *task)
{
	renew(task->index);
}

/* A lock that is already held does not begin again. */
static void set_lock(const struct timed *task, uint64_t *ends_ns, bool is_held, uint64_t budget_ns)
{
	if (!is_held || !budget_ns)
		*ends_ns = UINT64_MAX;
	else if (*ends_ns == UINT64_MAX)
		*ends_ns = task->used_ns + budget_ns;
}

void plf_set_locks(struct plf_core *core)
{
	const struct plf_masks *masks = &core->running->masks;
	unsigned index = core->running->index;
	const struct plf_timing_config *config = &plf_timing_config[index];
	struct timed *task = &timed[index];

	plf_own_time_stops();
	set_lock(task, &task->ends_ns[ALL_LOCKED], masks->disabled || masks->suspended_all,
		 config->all_lock_ns);
	set_lock(task, &task->ends_ns[OS_LOCKED], masks->suspended_os, config->os_lock_ns);
	plf_own_time_begins(core);
}

void plf_set_resource_lock(struct plf_core *core, uintptr_t resource, bool is_held)
{
	unsigned index = core->running->index;
	struct timed *task = &timed[index];
	uint64_t first_ns = UINT64_MAX;

	plf_own_time_stops();
	for (unsigned lock = plf_first_resource_lock[index];
	     lock < plf_first_resource_lock[index + 1]; lock++) {
		const struct plf_resource_lock_config *config = &plf_resource_lock_config[lock];
		uint64_t *ends_ns = &resource_ends_ns[lock];

		if (config->resource == resource)
			set_lock(task, ends_ns, is_held, config->budget_ns);
		if (*ends_ns < first_ns)
			first_ns = *ends_ns;
	}
	task->ends_ns[RESOURCE_LOCKED] = first_ns;
	plf_own_time_begins(core);
}

static void forget_resources(unsigned index)
{
	for (unsigned lock = plf_first_resource_lock[index];
	     lock < plf_first_resource_lock[index + 1]; lock++)
		resource_ends_ns[lock] = UINT64_MAX;
}

static void forget_locks(unsigned index)
{
	for (unsigned limit = 1; limit < LIMITS; limit++)
		timed[index].ends_ns[limit] = UINT64_MAX;
	if (PLF_RESOURCE_LOCKS)
		forget_resources(index);
}

void plf_forget_locks(const struct plf_task *task)
{
	forget_locks(task->index);
}

void plf_prepare_budgets(void)
{
	charged.until_ns = UINT64_MAX;
	charged.alarm_ns = UINT64_MAX;
	for (unsigned index = 0; index < PLF_TASKS; index++) {
		renew(index);
		forget_locks(index);
	}
}

/* ---- The timer -------------------------------------------------------------------- */

void plf_first_alarm_is(struct plf_core *core, uint64_t at_ns)
{
	charged.alarm_ns = at_ns;
	plf_set_budget_timer(core);
}

/* Return the status for the running task, whose first budget has ended. */
static StatusType what_has_ended(const struct timed *task)
{
	return task->ends_ns[EXECUTION] == first_end_ns(task) ? E_OS_PROTECTION_TIME
							      : E_OS_PROTECTION_LOCKED;
}

bool plf_timer_is_for_no_budget(struct plf_core *core)
{
	if (charged.until_ns <= plf_port_now_ns()) {
		plf_on_entry(core);
		plf_end_foul(core, what_has_ended(charged.task));
		return false;
	}
	if (core->running && core->running->masked) {
		plf_set_budget_timer(core); /* an alarm that became due before it was held back */
		return false;
	}
	return true;
}

/* ---- Time frames ------------------------------------------------------------------ */

void plf_arrives_as_due(uint64_t at_ns)
{
	due_ns = at_ns;
}

void plf_forget_frame(const struct plf_task *task)
{
	timed[task->index].frame_ends_ns = 0;
}

/* Each arrival that is not too early begins a frame: SWS_Os_00465, 00469 and 00472. */
static bool begins_frame(const struct plf_task *task)
{
	struct timed *own = &timed[task->index];
	uint64_t frame_ns = plf_timing_config[task->index].frame_ns;
	uint64_t arrival_ns;

	if (frame_ns == 0)
		return true;
	arrival_ns = due_ns ? due_ns : plf_port_now_ns();
	if (arrival_ns < own->frame_ends_ns)
		return false;
	own->frame_ends_ns = arrival_ns + frame_ns;
	return true;
}

bool plf_comes_early(struct plf_core *core, const struct plf_task *task)
{
	if (begins_frame(task))
		return false;
	plf_report_arrival(core);
	return true;
}

/* The events stay set: SWS_Os_00467. */
bool plf_wakes_early(struct plf_core *core, struct plf_task *task)
{
	if (begins_frame(task))
		return false;
	task->is_waiting = true;
	plf_report_arrival(core);
	return true;
}
