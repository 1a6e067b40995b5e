/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "member.h"

#include "../../protocol/splitmix.h"
#include "../machine/clock.h"
#include "../machine/say.h"
#include "cpus.h"
#include "lock_calls.h"
#include "memory.h"
#include "reservation.h"
#include "server.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

/* A thread with a reservation uses no lock and has no priority. libplafond has no such threads. */
static const struct lock_kind *locks_of(const struct member *member)
{
	return is_reserved(member->task) ? &pthread_locks : member->team->plan->protocol->kind;
}

static void require(struct member *member, const char *call, int error)
{
	if (error != 0)
		team_fails(member->team, member->task->name, call, error);
}

static void sleep_until(struct member *member, int64_t time_ns)
{
	require(member, locks_of(member)->sleep_call,
		locks_of(member)->sleep_until(member->team->zero_ns + time_ns));
	log_look(&member->log);
}

static bool is_shared(const struct member *member, size_t resource)
{
	return member->team->plan->resources[resource].is_shared;
}

static uint64_t skips(void)
{
	struct plf_stats stats;

	return plf_get_stats(&stats) == 0 ? stats.skips : 0;
}

/* When the present period of its server began. */
static int64_t begin_of_period(const struct member *member)
{
	const struct server *server = &member->team->plan->servers[member->task->server];
	int64_t after_ns = now_ns() - member->team->zero_ns;

	return after_ns - after_ns % server->period_ns;
}

/* If the thread waited for a budget, the budget came with the period. Later time is a gap. */
static void lock_shared(struct member *member, size_t resource)
{
	uint64_t before = skips();

	require(member, "plf_shared_lock", plf_shared_lock(&member->team->locks[resource].shared));
	if (skips() == before)
		return;
	log_event(&member->log, EVENT_AWAIT, NO_RESOURCE);
	log_seen(&member->log, begin_of_period(member));
	log_event(&member->log, EVENT_AFFORD, NO_RESOURCE);
	log_look_after(&member->log, 0);
}

static void lock_step(struct member *member, size_t resource)
{
	log_look_after(&member->log, 0);
	log_event(&member->log, EVENT_REQUEST, resource);
	if (is_shared(member, resource))
		lock_shared(member, resource);
	else
		require(member, locks_of(member)->lock_call,
			locks_of(member)->lock(&member->team->locks[resource]));
	log_look(&member->log);
	log_event(&member->log, EVENT_GRANT, resource);
}

static void unlock(struct member *member, size_t resource)
{
	union lock *lock = &member->team->locks[resource];

	if (is_shared(member, resource))
		require(member, "plf_shared_unlock", plf_shared_unlock(&lock->shared));
	else
		require(member, locks_of(member)->unlock_call, locks_of(member)->unlock(lock));
}

/*
 * A thread that waited for the lock may preempt in the middle of the call, so look a second time.
 */
static void unlock_step(struct member *member, size_t resource)
{
	log_look_after(&member->log, 0);
	log_event(&member->log, EVENT_UNLOCK, resource);
	unlock(member, resource);
	log_look_after(&member->log, 0);
}

/* The last look is the driver's, so the time after it is a gap. */
static void section_step(struct member *member, struct section *section)
{
	log_look_after(&member->log, 0);
	require(member, locks_of(member)->lock_call, run_section(section, &member->log));
	log_look_after(&member->log, 0);
}

/* Time after the due time, because of a ceiling or a late timer, is a gap, not sleep. */
static void sleep_step(struct member *member, int64_t time_ns)
{
	int64_t due_ns = log_look_after(&member->log, 0) + time_ns;

	log_event(&member->log, EVENT_SLEEP, NO_RESOURCE);
	sleep_until(member, due_ns);
	log_look_back(&member->log, due_ns);
	log_event(&member->log, EVENT_WAKE, NO_RESOURCE);
	log_look_after(&member->log, 0);
}

static int64_t length_of_run(const struct step *step, uint32_t activation)
{
	if (step->least_ns == 0)
		return step->time_ns;
	return (int64_t)plf_drawn((uint64_t)step->least_ns, (uint64_t)step->time_ns, step->key,
				  activation);
}

/* Returns the number of steps that were done. */
static size_t run_step(struct member *member, size_t place)
{
	const struct step *step = &member->task->steps[place];

	switch (step->kind) {
	case STEP_RUN:
		spin_for(&member->spin, length_of_run(step, member->log.activation), &member->log);
		break;
	case STEP_LOCK:
		if (member->sections != NULL) {
			section_step(member, &member->sections[place]);
			return member->sections[place].step_count;
		}
		lock_step(member, step->resource);
		break;
	case STEP_UNLOCK:
		unlock_step(member, step->resource);
		break;
	case STEP_SLEEP:
		sleep_step(member, step->time_ns);
		break;
	}
	return 1;
}

static void run_body(struct member *member)
{
	for (size_t i = 0; i < member->task->step_count;)
		i += run_step(member, i);
}

/* Returns the time of the activation's end. */
static int64_t run_activation(struct member *member, int64_t arrival_ns)
{
	int64_t end_ns;

	if (log_look(&member->log) < arrival_ns)
		sleep_until(member, arrival_ns);
	log_event(&member->log, EVENT_START, NO_RESOURCE);
	run_body(member);
	end_ns = log_look_after(&member->log, 0);
	log_event(&member->log, EVENT_END, NO_RESOURCE);
	return end_ns;
}

static void run_activations(struct member *member)
{
	const struct task *task = member->task;
	int64_t end_ns = 0;

	for (size_t i = 0; i < task->arrival_count; i++) {
		log_activation(&member->log, (uint32_t)i);
		if (task->skips && task->arrivals[i] < end_ns)
			log_event(&member->log, EVENT_SKIP, NO_RESOURCE);
		else
			end_ns = run_activation(member, task->arrivals[i]);
	}
}

static void settle(struct member *member, const struct rusage *before, int counter)
{
	struct account *account = &member->record->account;
	struct rusage after;

	account->lock_calls = lock_calls_read(counter);
	getrusage(RUSAGE_THREAD, &after);
	account->voluntary_switches = after.ru_nvcsw - before->ru_nvcsw;
	account->involuntary_switches = after.ru_nivcsw - before->ru_nivcsw;
	account->minor_faults = after.ru_minflt - before->ru_minflt;
	account->major_faults = after.ru_majflt - before->ru_majflt;
	atomic_store(&member->record->is_complete, true);
}

/*
 * Do each action once before, because the first time costs more. For example, the C library
 * allocates at the first PTHREAD_PRIO_PROTECT lock. libplafond tries the band at the first lock
 * across CPUs.
 */
static int rehearse_lock(const struct protocol *protocol, bool is_global)
{
	union lock lock;
	int error = protocol->kind->create(&lock, PRIORITY_HIGHEST, is_global, protocol->option);

	if (error == 0)
		error = protocol->kind->lock(&lock);
	return error != 0 ? error : protocol->kind->unlock(&lock);
}

static int rehearse_locks(const struct member *member)
{
	const struct plan *plan = member->team->plan;
	const struct protocol *protocol = plan->protocol;
	int error = protocol->kind->has_sections ? 0 : rehearse_lock(protocol, false);

	if (error == 0 && protocol->across_cpus == ACROSS_BAND && locks_global(plan, member->task))
		error = rehearse_lock(protocol, true);
	return error;
}

static int rehearse(const struct member *member)
{
	int error = is_reserved(member->task) ? 0 : rehearse_locks(member);

	return error != 0 ? error : locks_of(member)->sleep_until(now_ns());
}

static void make_sections_of(struct member *member)
{
	const struct team *team = member->team;
	int error = make_sections(&member->sections, member->task, team->locks, member->spin.pace,
				  member->record->gap_room);

	if (error == EDEADLK)
		team_refuses(member->task->name,
			     "it nests locks in another order than a section before", error);
	if (error != 0)
		team_refuses(member->task->name, "its sections cannot be made", error);
}

static bool is_in_server(const struct member *member)
{
	return member->task->server != NO_SERVER;
}

static int reserve(const struct task *task)
{
	int error = pin_to(task->cpu);

	if (error == 0 &&
	    !reserve_for_task(task->name, task->cpu, task->period_ns, task->budget_ns))
		_exit(REFUSED);
	return error;
}

static int attach(const struct member *member)
{
	const struct task *task = member->task;
	const struct protocol *protocol = member->team->plan->protocol;

	if (is_reserved(task))
		return reserve(task);
	if (is_in_server(member))
		return plf_server_join(&member->team->servers[task->server].server, task->priority);
	return protocol->kind->attach(task->priority, task->cpu, protocol->option);
}

static const char *reason_for(int error)
{
	return error == EPROTO ? "plafond.ko is of another version"
			       : "it cannot become a real-time thread";
}

void *run_member(void *argument)
{
	struct member *member = argument;
	struct team *team = member->team;
	struct rusage before;
	int counter, error;

	atomic_store(&member->record->thread, gettid());
	touch_stack();
	error = attach(member);
	if (error == 0)
		error = rehearse(member);
	if (error != 0)
		team_refuses(member->task->name, reason_for(error), error);
	if (locks_of(member)->has_sections)
		make_sections_of(member);
	counter = lock_calls_open(team->tracepoint, &team->record->not_counted);
	team_wait_for_go(team, is_in_server(member));
	member->log.zero_ns = team->zero_ns;
	lock_calls_start(counter);
	getrusage(RUSAGE_THREAD, &before);
	run_activations(member);
	settle(member, &before, counter);
	return NULL;
}
