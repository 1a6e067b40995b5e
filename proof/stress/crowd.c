/* SPDX-License-Identifier: MIT */
#include "crowd.h"

#include "member.h"
#include "random.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	MEMBERS_MIN = 3,
	PEERS = 2, /* SCHED_OTHER, if they are wanted */
	/* Above other programs here, because other proofs use priorities up to 30. */
	PRIORITY_UNDERTAKER = 35,
	PRIORITY_LOWEST = 40,
	PRIORITY_STEP = 8,
	ROUND_NS = 2000000, /* of the undertaker */
	BUSY_PERCENT_MAX = 85,
};

static uint64_t dice;

static const unsigned flags_of[STRENGTHS] = {
	[ROBUST] = PLF_BACKEND_USER,
	[STRICT] = PLF_BACKEND_USER | PLF_STRICT,
	[SYSCALL] = PLF_BACKEND_SYSCALL,
	[MODULE] = PLF_BACKEND_MODULE,
	[MODULE_STRICT] = PLF_BACKEND_MODULE | PLF_STRICT,
};

static int priority_of(unsigned index)
{
	if ((crowd.faults & FAULT_OTHER) != 0 && index < PEERS)
		return 0;
	return PRIORITY_LOWEST + (int)index * PRIORITY_STEP;
}

static void cast(unsigned index, const struct plan *plan)
{
	struct member *m = &crowd.member[index];

	m->notes.index = index;
	m->notes.priority = priority_of(index);
	m->locks = random_between(&dice, 1, (1 << LOCKS) - 1) |
		   random_between(&dice, 1, (1 << LOCKS) - 1);
	if ((crowd.faults & FAULT_NO_HOOK) != 0)
		m->locks = (1 << LOCKS) - 1; /* every section covers every other member */
	m->random = random_seed(plan->seed, index + 1);
	m->role = BY_TIME;
	members_notes[index] = &m->notes;
}

/*
 * One member waits for a semaphore, another for a condition, and the rest for time. In the control
 * all wait for time, because the library's own waits include the hook.
 */
static void give_roles(void)
{
	unsigned first = random_between(&dice, 0, crowd.members - 1);
	unsigned second = (first + random_between(&dice, 1, crowd.members - 1)) % crowd.members;

	if ((crowd.faults & FAULT_NO_HOOK) != 0)
		return;
	crowd.member[first].role = BY_SEMAPHORE;
	crowd.member[second].role = BY_CONDITION;
}

/* The highest priority of its users. The undertaker uses each lock, too. */
static int ceiling_of(int which)
{
	int ceiling = PRIORITY_UNDERTAKER;

	for (unsigned i = 0; i < crowd.members; i++)
		if ((crowd.member[i].locks & 1U << which) != 0 &&
		    crowd.member[i].notes.priority > ceiling)
			ceiling = crowd.member[i].notes.priority;
	return ceiling;
}

static int set_stage(const struct plan *plan)
{
	int error;

	dice = random_seed(plan->seed, 0);
	crowd.faults = plan->configuration->faults;
	crowd.attach_flags = flags_of[plan->strength];
	crowd.cpu = plan->cpu;
	crowd.members = random_between(&dice, MEMBERS_MIN, MEMBERS_MAX);
	for (unsigned i = 0; i < crowd.members; i++)
		cast(i, plan);
	give_roles();
	for (int i = 0; i < LOCKS; i++)
		plf_mutex_init(&crowd.lock[i], ceiling_of(i));
	plf_mutex_init(&crowd.event_lock, priority_of(crowd.members - 1));
	plf_cond_init(&crowd.event);
	error = plf_sem_init(&crowd.jobs, 0);
	report->members = crowd.members;
	members_noted = crowd.members;
	return error != 0 ? error : foreign_setup();
}

static void *end_at_once(void *unused)
{
	(void)unused;
	pthread_exit(NULL);
}

/* The C library loads its unwinder at the first pthread_exit(), which must not be in a section. */
static int rehearse_exit(void)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, end_at_once, NULL);

	return error != 0 ? error : pthread_join(thread, NULL);
}

static bool has_stranger(void)
{
	return (crowd.faults & (FAULT_FOREIGN | FAULT_INTRUDER)) != 0;
}

static int start_all(void)
{
	int error = plf_attach(PRIORITY_UNDERTAKER, crowd.cpu, crowd.attach_flags);

	for (unsigned i = 0; i < crowd.members && error == 0; i++)
		error = member_start(&crowd.member[i]);
	if (error == 0 && has_stranger()) {
		unsigned between = random_between(&dice, 1, crowd.members - 1);

		error = stranger_start(priority_of(between) - PRIORITY_STEP / 2,
				       random_next(&dice));
	}
	return error;
}

/* Join and replace dead members, and now and then cancel a member. */
static int undertake(void)
{
	for (unsigned i = 0; i < crowd.members; i++) {
		struct member *m = &crowd.member[i];
		int error;

		if (!m->died) {
			if ((crowd.faults & FAULT_DEATH) != 0 && one_in(&dice, 16))
				pthread_cancel(m->thread);
			continue;
		}
		member_join(m);
		error = member_start(m);
		if (error != 0)
			return error;
	}
	return 0;
}

static int keep_running(double seconds)
{
	uint64_t end_ns = plf_now() + (uint64_t)(seconds * 1e9);
	int error = 0;

	while (error == 0 && plf_now() < end_ns) {
		error = plf_sleep_until(plf_now() + ROUND_NS);
		if (error == EINTR)
			error = 0;
		if (error == 0)
			error = undertake();
	}
	return error;
}

/* Wake a member that waits for a job or an event, so that it sees the end of the run. */
static int release_all(void)
{
	int error;

	crowd.stop = true;
	crowd.posted++;
	error = plf_sem_post(&crowd.jobs);
	if (error == 0)
		error = plf_mutex_lock(&crowd.event_lock);
	if (error != 0)
		return error;
	crowd.produced++;
	error = plf_cond_broadcast(&crowd.event);
	return error != 0 ? error : plf_mutex_unlock(&crowd.event_lock);
}

static void join_all(void)
{
	for (unsigned i = 0; i < crowd.members; i++) {
		struct member *m = &crowd.member[i];

		member_join(m);
		report->sections += m->all_sections;
		report->preempted += m->notes.preempted;
		report->gate_waits += m->gate_waits;
		report->deaths += m->deaths;
		if (m->longest_ns > report->longest_ns)
			report->longest_ns = m->longest_ns;
	}
	if (has_stranger())
		stranger_join();
}

static uint64_t entries_of(int which)
{
	uint64_t entries = 0;

	for (unsigned i = 0; i < crowd.members; i++)
		entries += crowd.member[i].entries[which];
	return entries;
}

static void check_lock(int which)
{
	plf_mutex_t *lock = &crowd.lock[which];
	struct guarded *g = &crowd.guarded[which];
	int error = plf_mutex_lock(lock);

	if (error == EOWNERDEAD)
		repair(which);
	else if (error != 0)
		found(FOUND_LEFTOVER, "a lock cannot be had at the end", error);
	if (g->owner != 0 || g->first != g->second || (uint64_t)g->first != entries_of(which))
		found(FOUND_EXCLUSION, "plain data of a section were lost", which);
	if (crowd.reported[which] != crowd.deaths[which])
		found(FOUND_DEATH,
		      crowd.reported[which] < crowd.deaths[which] ? "a death went unreported"
								  : "a death was reported twice",
		      which);
	if (plf_mutex_unlock(lock) != 0 || plf_word_ref(lock->word) != 0)
		found(FOUND_LEFTOVER, "a lock is left held", which);
}

static void check_releases(void)
{
	uint64_t left = 0;

	while (plf_sem_trywait(&crowd.jobs) == 0)
		left++;
	if (crowd.posted != crowd.taken + left)
		found(FOUND_LOST, "jobs posted and not taken", (int)(crowd.posted - crowd.taken));
	if (plf_cond_destroy(&crowd.event) != 0)
		found(FOUND_LOST, "a waiter is left in the condition's queue", 0);
}

static double own_cpu_s(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* The idle time of the CPU since the machine started, in seconds. */
static double idle_s(int cpu)
{
	FILE *file = fopen("/proc/stat", "re");
	unsigned long long idle = 0;
	char line[256], name[16];

	snprintf(name, sizeof(name), "cpu%d ", cpu);
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			sscanf(line, "%*s %*u %*u %*u %llu", &idle);
	if (file != NULL)
		fclose(file);
	return (double)idle / (double)sysconf(_SC_CLK_TCK);
}

/* sched_rt_runtime_us is -1 if there is no throttle. */
static bool is_throttled(void)
{
	FILE *file = fopen("/proc/sys/kernel/sched_rt_runtime_us", "re");
	int runtime_us = 0;

	if (file != NULL) {
		if (fscanf(file, "%d", &runtime_us) != 1)
			runtime_us = 0;
		fclose(file);
	}
	return runtime_us >= 0;
}

/*
 * Beyond the throttle (/proc/sys/kernel/sched_rt_runtime_us) the kernel runs SCHED_OTHER threads
 * although FIFO threads are ready. Then no rule holds, and the library is not to blame. This run
 * stays below the throttle, but other programs may not.
 */
static void check_load(uint64_t begin_ns, double idle_before_s)
{
	double lasted_s = (double)(plf_now() - begin_ns) / 1e9;
	double idle_percent = 100 * (idle_s(crowd.cpu) - idle_before_s) / lasted_s;

	report->busy_percent = (unsigned)(100 * own_cpu_s() / lasted_s);
	if (!is_throttled())
		return;
	if (report->busy_percent > BUSY_PERCENT_MAX)
		found(FOUND_OVERLOAD, "near the throttle", (int)report->busy_percent);
	if ((crowd.faults & FAULT_OTHER) != 0 && report->findings[FOUND_INVERSION] > 0 &&
	    idle_percent < 100 - BUSY_PERCENT_MAX)
		found(FOUND_OVERLOAD, "other programs keep this CPU busy: judge it alone",
		      100 - (int)idle_percent);
}

int run_crowd(const struct plan *plan)
{
	uint64_t begin_ns = plf_now();
	double idle_before_s = idle_s(plan->cpu);
	int error = set_stage(plan);

	if (error == 0)
		error = rehearse_exit();
	if (error == 0)
		error = start_all();
	if (error == 0)
		error = keep_running(plan->seconds);
	if (error == 0)
		error = release_all();
	if (error != 0)
		return error;
	join_all();
	for (int i = 0; i < LOCKS; i++)
		check_lock(i);
	check_releases();
	if (*plf_self->top != 0)
		found(FOUND_LEFTOVER, "the ceiling stack is not empty at the end", 0);
	check_load(begin_ns, idle_before_s);
	return 0;
}
