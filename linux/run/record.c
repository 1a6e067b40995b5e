/* SPDX-License-Identifier: MIT */
#include "record.h"

#include "../machine/clock.h"
#include "memory.h"
#include "team.h"

#include <string.h>

enum {
	GAPS_OF_ACTIVATION = 16,
	GAPS_OF_TASK = 64,
	GAPS_SHARED = 1000000, /* of each kind; the tasks share them evenly */
	GAP_EVERY_NS = 50000,  /* of work: the host of a virtual machine may take time that often */
};

static size_t events_of_step(const struct plan *plan, const struct step *step)
{
	switch (step->kind) {
	case STEP_RUN:
		return 0;
	case STEP_UNLOCK:
		return 1;
	case STEP_LOCK: /* a shared resource may also wait for a budget */
		return plan->resources[step->resource].is_shared ? 4 : 2;
	case STEP_SLEEP:
		return 2;
	}
	return 0;
}

static size_t periods(const struct plan *plan, int64_t period_ns)
{
	return (size_t)((plan->limit_ns + MARGIN_NS) / period_ns) + 2;
}

/* How often `other` can preempt `task`. A reservation can do so with each new budget, too. */
static size_t preemptions_by(const struct plan *plan, const struct task *other,
			     const struct task *task)
{
	if (is_reserved(other))
		return other->arrival_count + periods(plan, other->period_ns);
	if (is_reserved(task) || other->priority <= task->priority)
		return 0;
	return other->arrival_count;
}

static size_t preemptions_of(const struct plan *plan, const struct task *task)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->task_count; i++)
		if (plan->tasks[i].cpu == task->cpu)
			count += preemptions_by(plan, &plan->tasks[i], task);
	return count;
}

static size_t sleeps(const struct task *task)
{
	size_t count = 0;

	for (size_t i = 0; i < task->step_count; i++)
		count += task->steps[i].kind == STEP_SLEEP;
	return count;
}

/* The most work that the task does in all. */
static int64_t work_ns(const struct plan *plan, const struct task *task)
{
	double sum = 0;

	for (size_t i = 0; i < task->step_count; i++)
		if (task->steps[i].kind == STEP_RUN)
			sum += (double)task->steps[i].time_ns;
	sum *= (double)task->arrival_count;
	return sum < (double)plan->limit_ns ? (int64_t)sum : plan->limit_ns;
}

/*
 * In each period, a server is replenished and depleted, gets and loses the CPU. For each server
 * that preempts it, it gets and loses the CPU once more.
 */
size_t server_room(const struct plan *plan, const struct server *server)
{
	size_t room = 6 * periods(plan, server->period_ns);

	for (size_t i = 0; i < plan->server_count; i++) {
		const struct server *other = &plan->servers[i];

		if (other->cpu == server->cpu && other->priority > server->priority)
			room += 3 * periods(plan, other->period_ns);
	}
	return room;
}

static size_t room_of_server(const struct plan *plan, const struct task *task)
{
	return task->server == NO_SERVER ? 0 : server_room(plan, &plan->servers[task->server]);
}

/*
 * Room for gaps: preemptions, spent budgets, the ends of sleeps, and the time that the machine
 * itself takes from the task.
 */
static size_t gap_room(const struct plan *plan, const struct task *task)
{
	size_t share = GAPS_SHARED / plan->task_count;
	size_t preemptions = preemptions_of(plan, task);
	size_t machine = (size_t)(work_ns(plan, task) / GAP_EVERY_NS);

	return GAPS_OF_TASK + (GAPS_OF_ACTIVATION + sleeps(task)) * task->arrival_count +
	       (machine < share ? machine : share) + (preemptions < share ? preemptions : share) +
	       room_of_server(plan, task);
}

/* Room for start and end, or a skip; for the steps; and for both ends of each gap. */
size_t event_room(const struct plan *plan, const struct task *task)
{
	size_t body = 2;

	for (size_t i = 0; i < task->step_count; i++)
		body += events_of_step(plan, &task->steps[i]);
	return task->arrival_count * body + 2 * gap_room(plan, task);
}

static size_t all_events(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->task_count; i++)
		count += event_room(plan, &plan->tasks[i]);
	return count;
}

static size_t all_server_events(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->server_count; i++)
		count += server_room(plan, &plan->servers[i]);
	return count;
}

static void lay_out_servers(struct record *record, const struct plan *plan,
			    struct server_event *events)
{
	for (size_t i = 0; i < plan->server_count; i++) {
		record->servers[i].events = events;
		record->servers[i].room = server_room(plan, &plan->servers[i]);
		events += record->servers[i].room;
	}
}

static size_t all_arrivals(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->task_count; i++)
		count += plan->tasks[i].arrival_count;
	return count;
}

/* The size of all arrays after the tasks. */
static size_t room_bytes(const struct plan *plan)
{
	return all_events(plan) * sizeof(struct event) +
	       all_server_events(plan) * sizeof(struct server_event) +
	       all_arrivals(plan) * sizeof(uint16_t);
}

static void lay_out_speeds(struct record *record, const struct plan *plan, uint16_t *slowest)
{
	for (size_t i = 0; i < plan->task_count; i++) {
		record->tasks[i].slowest = slowest;
		slowest += plan->tasks[i].arrival_count;
	}
}

static void lay_out(struct record *record, const struct plan *plan, const int *cpus)
{
	struct server_event *servers;
	struct event *events;

	record->cpus = (struct cpu_record *)(record + 1);
	record->servers = (struct server_record *)(record->cpus + record->cpu_count);
	record->tasks = (struct task_record *)(record->servers + plan->server_count);
	events = (struct event *)(record->tasks + plan->task_count);
	for (size_t i = 0; i < record->cpu_count; i++)
		record->cpus[i].cpu = cpus[i];
	for (size_t i = 0; i < plan->task_count; i++) {
		record->tasks[i].events = events;
		record->tasks[i].gap_room = gap_room(plan, &plan->tasks[i]);
		events += event_room(plan, &plan->tasks[i]);
	}
	servers = (struct server_event *)events;
	lay_out_servers(record, plan, servers);
	lay_out_speeds(record, plan, (uint16_t *)(servers + all_server_events(plan)));
}

/* The limits of a plan keep the sum far below SIZE_MAX. */
struct record *map_record(const struct plan *plan)
{
	int cpus[CPUS_MAX];
	size_t cpu_count = cpus_of_plan(plan, cpus);
	size_t bytes = sizeof(struct record) + cpu_count * sizeof(struct cpu_record) +
		       plan->server_count * sizeof(struct server_record) +
		       plan->task_count * sizeof(struct task_record) + room_bytes(plan);
	struct record *record = map_shared("the trace", bytes, (plan->task_count + 1) * STACK_BYTES,
					   "ask for fewer tasks, arrivals or steps");

	if (record == NULL)
		return NULL;
	record->bytes = bytes;
	record->spare_ns = -1;
	record->cpu_count = cpu_count;
	strcpy(record->backend, "none");
	lay_out(record, plan, cpus);
	return record;
}

void touch_record(struct record *record, const struct plan *plan)
{
	memset(record->tasks[0].events, 0, room_bytes(plan));
}

struct cpu_record *cpu_record_of(const struct record *record, int cpu)
{
	struct cpu_record *found = record->cpus;

	while (found->cpu != cpu)
		found++;
	return found;
}
