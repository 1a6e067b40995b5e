/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "team.h"

#include "../machine/clock.h"
#include "../machine/host.h"
#include "../machine/say.h"
#include "cpus.h"
#include "member.h"
#include "memory.h"
#include "server.h"
#include "spare.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* From the last thread's readiness to time 0. All threads must be asleep by then. */
#define START_NS (50 * NS_PER_MS)

void team_refuses(const char *part, const char *call, int error)
{
	_exit(refuse("%s: %s: %s", part, call, strerror(error)));
}

/* If a second thread fails, it leaves the report to the first. */
void team_fails(struct team *team, const char *part, const char *call, int error)
{
	if (write_line(&team->record->failure, "%s: %s: %s", part, call, strerror(error)))
		_exit(FAILED);
	while (pause() != 0 && errno == EINTR)
		;
	_exit(FAILED);
}

static void require(const char *call, int error)
{
	if (error != 0)
		team_refuses("set-up", call, error);
}

static void sleep_on(sem_t *semaphore)
{
	int error;

	do
		error = sem_wait(semaphore) == 0 ? 0 : errno;
	while (error == EINTR);
	require("sem_wait", error);
}

/* Sleep with the hook, because otherwise the server would have to keep the thread out. */
static void sleep_with_hook(plf_sem_t *semaphore)
{
	int error;

	do
		error = plf_sem_wait(semaphore);
	while (error == EINTR);
	require("plf_sem_wait", error);
}

void team_wait_for_go(struct team *team, bool is_in_server)
{
	sem_post(&team->ready);
	if (is_in_server)
		sleep_with_hook(&team->go);
	else
		sleep_on(&team->go.sem);
}

/* Each task needs a file to count its lock calls. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void schedule(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	require(policy == SCHED_FIFO ? "SCHED_FIFO" : "SCHED_OTHER",
		pthread_setschedparam(pthread_self(), policy, &param));
}

static void *room_for(size_t count, size_t size)
{
	void *room = calloc(count + 1, size);

	require("memory", room == NULL ? ENOMEM : 0);
	return room;
}

/* Measure at the priority of the highest task, before the run has threads. */
static void measure_paces(struct team *team)
{
	struct record *record = team->record;
	cpu_set_t allowed;

	require("sched_getaffinity", sched_getaffinity(0, sizeof(allowed), &allowed) ? errno : 0);
	team->paces = room_for(record->cpu_count, sizeof(*team->paces));
	schedule(SCHED_FIFO, PRIORITY_HIGHEST);
	for (size_t i = 0; i < record->cpu_count; i++) {
		require("sched_setaffinity", pin_to(record->cpus[i].cpu));
		team->paces[i] = measure_pace();
		record->cpus[i].turn_ns = team->paces[i].turn_ns;
	}
	schedule(SCHED_OTHER, 0);
	require("sched_setaffinity", sched_setaffinity(0, sizeof(allowed), &allowed) ? errno : 0);
}

static void create_locks(struct team *team)
{
	const struct plan *plan = team->plan;

	team->locks = room_for(plan->resource_count, sizeof(*team->locks));
	for (size_t i = 0; i < plan->resource_count; i++) {
		const struct resource *resource = &plan->resources[i];

		if (resource->is_shared)
			plf_shared_init(&team->locks[i].shared);
		else
			require(resource->name,
				plan->protocol->kind->create(&team->locks[i], resource->ceiling,
							     resource->is_global,
							     plan->protocol->option));
	}
}

static void create_servers(struct team *team)
{
	size_t refused = 0;
	int error;

	team->servers = room_for(team->plan->server_count, sizeof(*team->servers));
	error = open_servers(team->servers, team->plan, team->record, &team->zero_ns, &refused);
	if (error != 0)
		team_refuses(team->plan->servers[refused].name, "plf_server_init", error);
	error = share_locks(team->servers, team->plan, team->locks, &refused);
	if (error != 0)
		team_refuses(team->plan->resources[refused].name, "plf_server_share", error);
}

/* Start the threads one after the other, so that a refusal is reported once. */
static pthread_t start_thread(struct team *team, void *(*body)(void *), void *argument)
{
	pthread_attr_t attr;
	pthread_t thread;

	require("pthread_attr_init", pthread_attr_init(&attr));
	require("pthread_attr_setstacksize", pthread_attr_setstacksize(&attr, STACK_BYTES));
	require("a thread cannot be started", pthread_create(&thread, &attr, body, argument));
	pthread_attr_destroy(&attr);
	sleep_on(&team->ready);
	return thread;
}

static size_t start_threads(struct team *team, pthread_t *threads)
{
	const struct plan *plan = team->plan;
	struct record *record = team->record;
	struct member *members = room_for(plan->task_count, sizeof(*members));
	size_t count = 0;

	for (; count < plan->task_count; count++) {
		const struct task *task = &plan->tasks[count];
		struct task_record *own = &record->tasks[count];
		const struct pace *pace =
			&team->paces[cpu_record_of(record, task->cpu) - record->cpus];

		members[count] = (struct member) {
			.team = team,
			.task = task,
			.record = own,
			.spin = { .pace = pace, .recent_ns = pace->turn_ns },
			.log = { .record = own },
		};
		threads[count] = start_thread(team, run_member, &members[count]);
	}
	strncpy(record->backend, plf_backend(), sizeof(record->backend) - 1);
	if (plan->spare.priority > 0)
		threads[count++] = start_thread(team, run_spare, team);
	return count;
}

/*
 * Start the run. No ordinary program delays it. Then the caller becomes ordinary, so that it
 * preempts no task when it wakes up to join a thread.
 */
static void go(struct team *team, size_t threads)
{
	struct record *record = team->record;

	schedule(SCHED_FIFO, 1);
	for (size_t i = 0; i < record->cpu_count; i++)
		record->cpus[i].steal_before_ns = steal_ns(record->cpus[i].cpu);
	team->zero_ns = now_ns() + START_NS;
	record->zero_ns = team->zero_ns;
	begin_servers(team->servers, team->plan->server_count);
	record->deadline = team->zero_ns + team->plan->limit_ns + MARGIN_NS;
	deadline_moved();
	for (; threads > 0; threads--)
		plf_sem_post(&team->go);
	schedule(SCHED_OTHER, 0);
}

void run_team(void *argument)
{
	struct team *team = argument;
	pthread_t *threads;
	size_t count;

	if (lock_memory() != 0)
		_exit(REFUSED);
	touch_record(team->record, team->plan);
	threads = room_for(team->plan->task_count + 1, sizeof(*threads));
	require("semaphores",
		sem_init(&team->ready, 0, 0) || plf_sem_init(&team->go, 0) ? errno : 0);
	allow_files();
	measure_paces(team);
	create_locks(team);
	create_servers(team);
	count = start_threads(team, threads);
	go(team, count);
	while (count > 0)
		pthread_join(threads[--count], NULL);
	settle_servers(team->servers, team->plan->server_count);
}
