/* SPDX-License-Identifier: MIT */
/* See timing.h. There is one core. */
#include "timing.h"

#include "cores.h"
#include "plf_schedule.h"
#include "port.h"
#include "resource.h"
#include "service.h"

static struct timed {
	uint64_t used_ns;	/* its own time, since the start */
	uint64_t ends_ns;	/* the same when its budget is used; UINT64_MAX: it has none */
	uint64_t frame_ends_ns; /* no arrival before this instant */
} timed[PLF_TASKS];

static struct {
	struct timed *task; /* whose own time goes on; NULL: none that has a budget */
	uint64_t since_ns;
	uint64_t until_ns; /* when its budget ends, if nothing stops it; UINT64_MAX: never */
	uint64_t alarm_ns; /* the first alarm; UINT64_MAX: none */
} charged;

static uint64_t due_ns; /* of plf_arrives_as_due() */

/* ---- Own time --------------------------------------------------------------------- */

static void set_timer(const struct plf_core *core)
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

/* A budget that is used up to its end by now has ended: the timer comes at once. */
static void charge(struct timed *task)
{
	charged.task = task;
	charged.since_ns = plf_port_now_ns();
	charged.until_ns = charged.since_ns;
	if (task->used_ns < task->ends_ns)
		charged.until_ns += task->ends_ns - task->used_ns;
}

void plf_own_time_begins(struct plf_core *core)
{
	struct timed *task = &timed[core->running->index];

	if (task->ends_ns != UINT64_MAX)
		charge(task);
	set_timer(core);
}

void plf_own_time_goes_on(struct plf_core *core)
{
	if (core->running && !charged.task)
		plf_own_time_begins(core);
}

void plf_renew_budget(const struct plf_task *task)
{
	struct timed *own = &timed[task->index];
	uint64_t budget_ns = plf_timing_config[task->index].budget_ns;

	own->ends_ns = budget_ns ? own->used_ns + budget_ns : UINT64_MAX;
}

void plf_prepare_budgets(void)
{
	charged.until_ns = UINT64_MAX;
	charged.alarm_ns = UINT64_MAX;
	for (unsigned index = 0; index < PLF_TASKS; index++)
		timed[index].ends_ns = plf_timing_config[index].budget_ns
					       ? plf_timing_config[index].budget_ns
					       : UINT64_MAX;
}

/* ---- The timer -------------------------------------------------------------------- */

void plf_set_budget_timer(struct plf_core *core)
{
	set_timer(core);
}

void plf_first_alarm_is(struct plf_core *core, uint64_t at_ns)
{
	charged.alarm_ns = at_ns;
	set_timer(core);
}

bool plf_timer_is_for_no_budget(struct plf_core *core)
{
	if (charged.until_ns <= plf_port_now_ns()) {
		plf_on_entry(core);
		plf_end_foul(core, E_OS_PROTECTION_TIME);
		return false;
	}
	if (core->running && core->running->masked) {
		set_timer(core); /* an alarm that has come before it was held back */
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

/* A frame begins with each arrival that is none too early: SWS_Os_00465, 00469 and 00472. */
static bool begins_frame(const struct plf_task *task)
{
	struct timed *own = &timed[task->index];
	uint64_t frame_ns = plf_timing_config[task->index].frame_ns;
	uint64_t arrival_ns = due_ns ? due_ns : plf_port_now_ns();

	if (frame_ns == 0)
		return true;
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
