/* SPDX-License-Identifier: MIT */
#include "section.h"

#include "lock_driver.h"
#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static const enum immpc_step_kind step_kinds[] = {
	[STEP_RUN] = IMMPC_STEP_WORK,
	[STEP_LOCK] = IMMPC_STEP_LOCK,
	[STEP_UNLOCK] = IMMPC_STEP_UNLOCK,
};

static const enum event_kind event_kinds[] = {
	[IMMPC_EVENT_REQUEST] = EVENT_REQUEST,
	[IMMPC_EVENT_GRANT] = EVENT_GRANT,
	[IMMPC_EVENT_UNLOCK] = EVENT_UNLOCK,
};

/*
 * The number of steps of the section from the lock step at `first`. Sections are closed, and no
 * task sleeps in them.
 */
static size_t length_of(const struct task *task, size_t first)
{
	size_t end = first, depth = 0;

	do {
		if (task->steps[end].kind == STEP_LOCK)
			depth++;
		else if (task->steps[end].kind == STEP_UNLOCK)
			depth--;
		end++;
	} while (depth > 0);
	return end - first;
}

static int64_t work_of(const struct step *steps, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		if (steps[i].kind == STEP_RUN)
			sum += (double)steps[i].time_ns;
	return sum < (double)TIME_MAX_NS ? (int64_t)sum : TIME_MAX_NS;
}

static bool has_range(const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (steps[i].least_ns != 0)
			return true;
	return false;
}

static bool check_section(const struct plan *plan, const struct task *task, size_t first)
{
	size_t count = length_of(task, first);
	int64_t work_ns = work_of(&task->steps[first], count);

	if (count > IMMPC_STEPS_MAX)
		return complain_at(plan->path, task->line,
				   "task %s: a section of %zu steps: under %s at most %d",
				   task->name, count, plan->protocol->name, IMMPC_STEPS_MAX);
	if (has_range(&task->steps[first], count))
		return complain_at(
			plan->path, task->line,
			"task %s: a range in a section: under %s sections have one length",
			task->name, plan->protocol->name);
	if (work_ns > (int64_t)IMMPC_WORK_MAX_NS)
		return complain_at(plan->path, task->line,
				   "task %s: a section of %" PRId64 " ns: under %s at most %llu",
				   task->name, work_ns, plan->protocol->name, IMMPC_WORK_MAX_NS);
	return true;
}

/* Adds the number of the task's sections to *SECTIONS. */
static bool check_sections_of(const struct plan *plan, const struct task *task, size_t *sections)
{
	for (size_t i = 0; i < task->step_count; i++) {
		if (task->steps[i].kind != STEP_LOCK)
			continue;
		if (!check_section(plan, task, i))
			return false;
		i += length_of(task, i) - 1;
		++*sections;
	}
	return true;
}

bool check_sections(const struct plan *plan)
{
	size_t sections = 0;

	if (!plan->protocol->kind->has_sections)
		return true;
	for (size_t i = 0; i < plan->task_count; i++) {
		const struct task *task = &plan->tasks[i];

		if (!check_sections_of(plan, task, &sections))
			return false;
		if (sections > IMMPC_SECTIONS_MAX)
			return complain_at(plan->path, task->line,
					   "more than %d sections in all: under %s no more",
					   IMMPC_SECTIONS_MAX, plan->protocol->name);
	}
	return true;
}

static struct immpc_step *steps_for_driver(const struct section *section, const union lock *locks)
{
	struct immpc_step *steps = calloc(section->step_count, sizeof(*steps));

	for (size_t i = 0; steps != NULL && i < section->step_count; i++) {
		const struct step *step = &section->steps[i];

		steps[i].kind = step_kinds[step->kind];
		if (step->kind == STEP_RUN)
			steps[i].work_ns = (uint64_t)step->time_ns;
		else
			steps[i].resource = locks[step->resource].in_driver;
	}
	return steps;
}

static int make_in_driver(struct section *section, const union lock *locks, const struct pace *pace,
			  size_t gap_room)
{
	struct immpc_step *steps = steps_for_driver(section, locks);
	struct immpc_section asked = {
		.steps = (uintptr_t)steps,
		.step_count = (uint32_t)section->step_count,
		.gap_room = (uint32_t)gap_room,
		.chunk_iterations = pace->chunk_iterations,
		.chunk_ps = pace->chunk_ps,
		.gap_ns = GAP_NS,
	};
	int number = steps == NULL ? -1 : call_driver(IMMPC_IOC_SECTION, &asked);
	int error = number < 0 ? errno : 0;

	free(steps);
	section->number = (uint32_t)number;
	return error;
}

static int make_section(struct section *section, const struct task *task, size_t first,
			const union lock *locks, const struct pace *pace, size_t gap_room)
{
	if (gap_room > IMMPC_GAPS_MAX)
		gap_room = IMMPC_GAPS_MAX;
	section->steps = &task->steps[first];
	section->step_count = length_of(task, first);
	section->events = calloc(2 * section->step_count + 2 * gap_room, sizeof(*section->events));
	if (section->events == NULL)
		return ENOMEM;
	return make_in_driver(section, locks, pace, gap_room);
}

int make_sections(struct section **sections, const struct task *task, const union lock *locks,
		  const struct pace *pace, size_t gap_room)
{
	int error = 0;

	*sections = calloc(task->step_count + 1, sizeof(**sections));
	if (*sections == NULL)
		return ENOMEM;
	for (size_t i = 0; i < task->step_count && error == 0; i++) {
		if (task->steps[i].kind != STEP_LOCK)
			continue;
		error = make_section(&(*sections)[i], task, i, locks, pace, gap_room);
		i += (*sections)[i].step_count - 1;
	}
	return error;
}

/* The driver's times are of CLOCK_MONOTONIC; the log's times count from time 0. */
static void log_events(const struct section *section, size_t count, struct log *log)
{
	for (size_t i = 0; i < count; i++) {
		const struct immpc_event *event = &section->events[i];
		int64_t time_ns = event->time_ns - log->zero_ns;

		if (event->kind == IMMPC_EVENT_SUSPEND) {
			log_gap(log, time_ns, section->events[++i].time_ns - log->zero_ns);
			continue;
		}
		log_seen(log, time_ns);
		log_event(log, event_kinds[event->kind], section->steps[event->step].resource);
	}
}

int run_section(struct section *section, struct log *log)
{
	struct immpc_run run = {
		.section = section->number,
		.events = (uintptr_t)section->events,
		.seen_ns = log->seen_ns + log->zero_ns,
	};

	if (call_driver(IMMPC_IOC_RUN, &run) != 0)
		return errno;
	log_events(section, run.event_count, log);
	log->record->lost_gaps += run.lost_gaps;
	log_seen(log, run.seen_ns - log->zero_ns);
	return 0;
}
