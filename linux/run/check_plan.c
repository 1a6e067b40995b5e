/* SPDX-License-Identifier: MIT */
#include "check_plan.h"

#include "section.h"
#include "words.h"

#include <inttypes.h>

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

/* Some protocols run only if all users of a resource are on one CPU. */
static bool check_home(const struct plan *plan, const struct task *task,
		       const struct resource *resource)
{
	if (plan->protocol->across_cpus != ACROSS_NOT || resource->home == task->cpu)
		return true;
	return complain_at(plan->path, task->line,
			   "%s is used on CPU %d and CPU %d: under %s all its users must be on one",
			   resource->name, resource->home, task->cpu, plan->protocol->name);
}

/* The users of a resource must be in one server, or all in no server, unless servers share it. */
static bool check_server_of(const struct plan *plan, const struct task *task,
			    const struct resource *resource)
{
	size_t place = (size_t)(resource - plan->resources);

	if (plan->server_count == 0)
		return true;
	if (resource->is_shared ? has_share(plan, place, task->server)
				: resource->server == task->server)
		return true;
	return complain_at(
		plan->path, task->line,
		"task %s locks %s, which tasks of another server lock, or of none: expected "
		"users in one server, or in those that share it",
		task->name, resource->name);
}

/* `around`: a global resource whose section the task is in or around, or NULL. */
static bool check_nesting(const struct plan *plan, const struct task *task,
			  const struct resource *resource, const struct resource *around)
{
	if (plan->protocol->across_cpus != ACROSS_BAND || around == NULL)
		return true;
	return complain_at(
		plan->path, task->line,
		"task %s locks %s inside a section: under %s none is in or around one of "
		"%s, which is used on several CPUs",
		task->name, resource->name, plan->protocol->name, around->name);
}

static bool check_locks(const struct plan *plan, const struct task *task)
{
	const struct resource *around = NULL;
	size_t depth = 0;

	for (size_t i = 0; i < task->step_count; i++) {
		const struct step *step = &task->steps[i];
		const struct resource *resource = &plan->resources[step->resource];

		if (step->kind == STEP_UNLOCK && --depth == 0)
			around = NULL;
		if (step->kind != STEP_LOCK)
			continue;
		if (resource->is_global)
			around = resource;
		if (!check_ceiling(plan, task, resource) || !check_home(plan, task, resource) ||
		    !check_server_of(plan, task, resource) ||
		    (depth > 0 && !check_nesting(plan, task, resource, around)))
			return false;
		depth++;
	}
	return true;
}

/* `band`: the CPUs on which sections run above all priorities of tasks. */
static bool check_band(const struct plan *plan, const struct task *task, const bool *band)
{
	if (!band[task->cpu] || task->priority < PLF_GLOBAL_BAND)
		return true;
	return complain_at(plan->path, task->line,
			   "task %s has priority %d on CPU %d, where a resource of several CPUs is "
			   "used: under %s "
			   "expected below %d",
			   task->name, task->priority, task->cpu, plan->protocol->name,
			   PLF_GLOBAL_BAND);
}

/* The SCHED_FIFO priority at which the next server's band begins, or that of global mutexes. */
static int end_of_band(const struct plan *plan, const struct server *server)
{
	int end = PLF_GLOBAL_BAND;

	for (size_t i = 0; i < plan->server_count; i++) {
		const struct server *other = &plan->servers[i];

		if (other->cpu == server->cpu && other->priority > server->priority &&
		    other->priority < end)
			end = other->priority;
	}
	return end;
}

static bool is_with_servers(const struct plan *plan, int cpu)
{
	for (size_t i = 0; i < plan->server_count; i++)
		if (plan->servers[i].cpu == cpu)
			return true;
	return false;
}

static bool check_in_server(const struct plan *plan, const struct task *task)
{
	const struct server *server;
	int end;

	if (task->server == NO_SERVER && !is_with_servers(plan, task->cpu))
		return true;
	if (task->server == NO_SERVER)
		return complain_at(plan->path, task->line,
				   "task %s is in no server, and CPU %d has some", task->name,
				   task->cpu);
	server = &plan->servers[task->server];
	end = end_of_band(plan, server);
	if (task->cpu != server->cpu)
		return complain_at(plan->path, task->line,
				   "task %s is on CPU %d, and its server %s on CPU %d", task->name,
				   task->cpu, server->name, server->cpu);
	if (server->priority + task->priority < end)
		return true;
	return complain_at(plan->path, task->line,
			   "task %s has priority %d in server %s: expected below %d, for above the "
			   "server's own, %d, its band has no more",
			   task->name, task->priority, server->name, end - server->priority,
			   server->priority);
}

static bool check_reserved_locks(const struct plan *plan, const struct task *task)
{
	for (size_t i = 0; i < task->step_count; i++)
		if (task->steps[i].kind == STEP_LOCK)
			return complain_at(
				plan->path, task->line,
				"task %s has a reservation and locks %s: expected no locks, for a "
				"ceiling is a priority of SCHED_FIFO, and its thread has none",
				task->name, plan->resources[task->steps[i].resource].name);
	return true;
}

/* The reservations on the task's CPU, up to the task in the file's order. */
static bool check_reserved_share(const struct plan *plan, const struct task *task)
{
	double share = 0;

	for (const struct task *other = plan->tasks; other <= task; other++)
		if (is_reserved(other) && other->cpu == task->cpu)
			share += (double)other->budget_ns / (double)other->period_ns * 100;
	if (share <= RESERVED_MOST + 1e-9)
		return true;
	return complain_at(plan->path, task->line,
			   "with task %s the reservations are %.1f%% of CPU %d: expected at most "
			   "%d%%, for what watches over a run comes after them",
			   task->name, share, task->cpu, RESERVED_MOST);
}

static bool check_reserved(const struct plan *plan, const struct task *task)
{
	if (task->server != NO_SERVER)
		return complain_at(plan->path, task->line,
				   "task %s is in server %s and has a reservation: expected one of "
				   "the two",
				   task->name, plan->servers[task->server].name);
	return check_reserved_locks(plan, task) && check_reserved_share(plan, task);
}

static bool check_task(const struct plan *plan, const struct task *task, const bool *band)
{
	if (!check_arrivals(plan, task))
		return false;
	if (is_reserved(task))
		return check_reserved(plan, task);
	return check_in_server(plan, task) && check_locks(plan, task) &&
	       check_band(plan, task, band);
}

/* The budgets on the server's CPU, up to the server in the file's order. */
static bool check_server(const struct plan *plan, size_t place)
{
	const struct server *server = &plan->servers[place];
	double share = 0;

	for (size_t i = 0; i <= place; i++) {
		const struct server *other = &plan->servers[i];

		if (other->cpu != server->cpu)
			continue;
		share += (double)other->budget_ns / (double)other->period_ns;
		if (i < place && other->priority == server->priority)
			return complain_at(plan->path, server->line,
					   "server %s has the priority of %s", server->name,
					   other->name);
	}
	if (share <= 1 + 1e-9)
		return true;
	return complain_at(plan->path, server->line,
			   "with server %s the budgets are %.1f%% of CPU %d", server->name,
			   share * 100, server->cpu);
}

static bool check_servers(const struct plan *plan)
{
	if (plan->server_count > 0 && !has_servers(plan->protocol))
		return complain_at(plan->path, plan->servers[0].line,
				   "server %s under %s: expected plafond, which alone has servers",
				   plan->servers[0].name, plan->protocol->name);
	for (size_t i = 0; i < plan->server_count; i++)
		if (!check_server(plan, i))
			return false;
	return true;
}

static bool check_spare(const struct plan *plan)
{
	if (plan->spare.priority > 0 && plan->server_count > 0)
		return complain_at(plan->path, plan->spare.line,
				   "spare beside server %s: what servers leave is not measured",
				   plan->servers[0].name);
	if (plan->spare.priority == 0 || plan->spare.time_ns <= plan->limit_ns)
		return true;
	return complain_at(plan->path, plan->spare.line,
			   "spare: its time, %" PRId64 ", is longer than the limit, %" PRId64,
			   plan->spare.time_ns, plan->limit_ns);
}

static void find_homes(struct plan *plan, const struct task *task)
{
	for (size_t i = 0; i < task->step_count; i++) {
		struct resource *resource = &plan->resources[task->steps[i].resource];

		if (task->steps[i].kind != STEP_LOCK)
			continue;
		if (resource->home == NO_CPU) {
			resource->home = task->cpu;
			resource->server = task->server;
		}
		if (resource->home != task->cpu)
			resource->is_global = true;
	}
}

static void find_band(const struct plan *plan, bool *band)
{
	for (size_t i = 0; i < plan->task_count; i++)
		if (locks_global(plan, &plan->tasks[i]))
			band[plan->tasks[i].cpu] = plan->protocol->across_cpus == ACROSS_BAND;
}

bool check_plan(struct plan *plan)
{
	bool band[CPUS_MAX] = { false };

	for (size_t i = 0; i < plan->task_count; i++)
		find_homes(plan, &plan->tasks[i]);
	find_band(plan, band);
	if (!check_servers(plan))
		return false;
	for (size_t i = 0; i < plan->task_count; i++)
		if (!check_task(plan, &plan->tasks[i], band))
			return false;
	return check_sections(plan) && check_spare(plan);
}
