/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

void free_plan(struct plan *plan)
{
	for (size_t i = 0; i < plan->task_count; i++) {
		free(plan->tasks[i].steps);
		free(plan->tasks[i].arrivals);
	}
	free(plan->tasks);
	free(plan->servers);
	free(plan->shares);
	free(plan->resources);
	*plan = (struct plan) { 0 };
}

size_t cpus_of_plan(const struct plan *plan, int cpus[CPUS_MAX])
{
	bool used[CPUS_MAX] = { false };
	size_t count = 0;

	for (size_t i = 0; i < plan->task_count; i++)
		used[plan->tasks[i].cpu] = true;
	if (plan->spare.priority > 0)
		used[plan->spare.cpu] = true;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (used[cpu])
			cpus[count++] = cpu;
	return count;
}

bool is_reserved(const struct task *task)
{
	return task->period_ns > 0;
}

bool has_share(const struct plan *plan, size_t resource, int server)
{
	for (size_t i = 0; i < plan->share_count; i++)
		if (plan->shares[i].resource == resource && plan->shares[i].server == server)
			return true;
	return false;
}

bool locks_global(const struct plan *plan, const struct task *task)
{
	for (size_t i = 0; i < task->step_count; i++)
		if (task->steps[i].kind == STEP_LOCK &&
		    plan->resources[task->steps[i].resource].is_global)
			return true;
	return false;
}
