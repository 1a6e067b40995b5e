/* SPDX-License-Identifier: MIT */
#include "check_plan.h"

#include "section.h"
#include "words.h"

#include <inttypes.h>

enum { NO_CPU = -1 };

static bool check_arrivals(const struct plan *plan, const struct task *task)
{
	if (task->arrival_count == 0)
		return complain_at(plan->path, task->line, "task %s has no arrivals", task->name);
	if (task->arrivals[task->arrival_count - 1] < plan->limit_ns)
		return true;
	return complain_at(plan->path, task->line,
			   "task %s: its last arrival, %" PRId64
			   ", must come before the limit, %" PRId64,
			   task->name, task->arrivals[task->arrival_count - 1], plan->limit_ns);
}

static bool check_ceiling(const struct plan *plan, const struct task *task,
			  const struct resource *resource)
{
	if (!plan->protocol->has_ceilings || task->priority <= resource->ceiling)
		return true;
	return complain_at(plan->path, task->line,
			   "task %s of priority %d locks %s, whose ceiling is only %d", task->name,
			   task->priority, resource->name, resource->ceiling);
}

/* `home`: the CPU of the resource's first user. */
static bool check_home(const struct plan *plan, const struct task *task,
		       const struct resource *resource, int *home)
{
	if (*home == NO_CPU)
		*home = task->cpu;
	if (!plan->protocol->is_of_one_cpu || *home == task->cpu)
		return true;
	return complain_at(plan->path, task->line,
			   "%s is used on CPU %d and CPU %d: under %s all its users must be on one",
			   resource->name, *home, task->cpu, plan->protocol->name);
}

static bool check_task(const struct plan *plan, const struct task *task, int *homes)
{
	if (!check_arrivals(plan, task))
		return false;
	for (size_t i = 0; i < task->step_count; i++) {
		const struct step *step = &task->steps[i];
		const struct resource *resource = &plan->resources[step->resource];

		if (step->kind != STEP_LOCK)
			continue;
		if (!check_ceiling(plan, task, resource) ||
		    !check_home(plan, task, resource, &homes[step->resource]))
			return false;
	}
	return true;
}

static bool check_spare(const struct plan *plan)
{
	if (plan->spare.priority == 0 || plan->spare.time_ns <= plan->limit_ns)
		return true;
	return complain_at(plan->path, plan->spare.line,
			   "spare: its time, %" PRId64 ", is longer than the limit, %" PRId64,
			   plan->spare.time_ns, plan->limit_ns);
}

bool check_plan(const struct plan *plan)
{
	int homes[RESOURCES_MAX];

	for (size_t i = 0; i < RESOURCES_MAX; i++)
		homes[i] = NO_CPU;
	for (size_t i = 0; i < plan->task_count; i++)
		if (!check_task(plan, &plan->tasks[i], homes))
			return false;
	return check_sections(plan) && check_spare(plan);
}
