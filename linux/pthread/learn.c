/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "learn.h"

#include "base.h"
#include "cpu.h"
#include "evidence.h"
#include "learn_report.h"
#include "others.h"
#include "path.h"
#include "registry.h"
#include "report.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool plf_learning;

/* The caller's identity. Its record is found when it first matters. */
static __thread struct {
	struct plf_evidence_thread *record; /* NULL: none */
	const void *start_routine;
	bool changed;	 /* look again at policy, priority and affinity */
	uint64_t sleeps; /* voluntary switches before the last wait */
} me;

static uint64_t time_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct rusage usage(void)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	return used;
}

static uint64_t sleeps(void)
{
	return (uint64_t)usage().ru_nvcsw;
}

static uint64_t preemptions(void)
{
	return (uint64_t)usage().ru_nivcsw;
}

void plf_learn_start(const char *path)
{
	int error;

	if (path == NULL || path[0] == '\0')
		return;
	error = plf_evidence_map();
	if (error != 0) {
		plf_warn("no memory to learn in: %s", strerrordesc_np(error));
		return;
	}
	plf_learn_report_start(path);
	plf_learning = plf_paths_matter = true;
}

void plf_learn_after_fork(void)
{
	if (!plf_learning)
		return;
	me.record = NULL;
	plf_evidence_begin_anew();
	plf_learn_report_after_fork();
}

/* ---- The caller's identity --------------------------------------------- */

/* A thread without a known routine is the main thread, or a thread of the C library. */
static const void *start_routine(void)
{
	if (me.start_routine == NULL && gettid() == getpid())
		return (const void *)getauxval(AT_ENTRY);
	return me.start_routine;
}

/* Not by pthread_getschedparam(), because the C library misses changes by another process. */
static void look_at_self(struct plf_identity *self)
{
	plf_priority_base(&self->policy, &self->priority);
	self->policy &= ~SCHED_RESET_ON_FORK;
	prctl(PR_GET_NAME, self->name);
	plf_site_of(start_routine(), &self->start);
	self->cpu = plf_pinned_cpu();
}

static void leave_record(void)
{
	if (me.record == NULL)
		return;
	prctl(PR_GET_NAME, me.record->name);
	__atomic_store_n(&me.record->user, PLF_ENDED, __ATOMIC_RELEASE);
	me.record = NULL;
}

static void identify(void)
{
	struct plf_identity now;

	me.changed = false;
	look_at_self(&now);
	if (me.record != NULL && me.record->is.policy == now.policy &&
	    me.record->is.priority == now.priority && me.record->is.cpu == now.cpu)
		return;
	plf_registry_lock();
	leave_record();
	me.record = plf_evidence_claim_thread(&now, gettid());
	plf_registry_unlock();
}

/* A thread keeps its record while it holds a mutex, because a hold belongs to one record. */
static bool is_known(bool look_again)
{
	if (me.record == NULL || (look_again && me.record->depth == 0))
		identify();
	return me.record != NULL;
}

void plf_learn_thread_start(const void *routine)
{
	me.start_routine = routine;
}

void plf_learn_thread(void)
{
	me.changed = true;
}

void plf_learn_thread_end(void)
{
	leave_record();
}

/* ---- Mutexes ----------------------------------------------------------- */

uint32_t plf_learn_mutex(const struct plf_plain *made, const pthread_mutex_t *of, int protocol,
			 int ceiling)
{
	uint32_t id = plf_evidence_claim_mutex();
	struct plf_evidence_mutex *mutex;

	if (id == 0)
		return 0;
	mutex = plf_evidence_mutex(id);
	plf_site_of(made->call_site, &mutex->site);
	plf_site_of(of, &mutex->place);
	mutex->locked_at = mutex->site;
	mutex->call_site = made->call_site;
	mutex->symbol = NULL;
	memcpy(mutex->name, made->name, sizeof(mutex->name));
	mutex->path = made->path;
	mutex->order = made->order;
	mutex->nth = made->nth;
	mutex->handed_over = false;
	mutex->protocol = protocol;
	mutex->ceiling = ceiling;
	__atomic_store_n(&mutex->state, PLF_MUTEX_ALIVE, __ATOMIC_RELEASE);
	return id;
}

void plf_learn_locked_at(uint32_t id, const void *call_site)
{
	if (id != 0)
		plf_site_of(call_site, &plf_evidence_mutex(id)->locked_at);
}

void plf_learn_named(uint32_t id, const char *name)
{
	if (id != 0)
		snprintf(plf_evidence_mutex(id)->name, PLF_MUTEX_NAME, "%s", name);
}

void plf_learn_destroyed(uint32_t id)
{
	struct plf_evidence_mutex *mutex;

	if (id == 0)
		return;
	mutex = plf_evidence_mutex(id);
	__atomic_store_n(&mutex->state, mutex->lockers == 0 ? PLF_MUTEX_UNUSED : PLF_MUTEX_GONE,
			 __ATOMIC_RELEASE);
}

bool plf_learn_is_real_time(void)
{
	long policy = syscall(SYS_sched_getscheduler, 0) & ~SCHED_RESET_ON_FORK;

	return policy == SCHED_FIFO || policy == SCHED_RR;
}

/* The caller holds the registry's lock. */
static struct plf_evidence_thread *see(int tid)
{
	struct plf_evidence_thread *thread = plf_evidence_thread_of(tid);
	struct plf_identity is;

	if (thread != NULL)
		return thread;
	plf_other_identity(tid, &is);
	thread = plf_evidence_claim_thread(&is, tid);
	if (thread != NULL)
		thread->seen_only = true;
	return thread;
}

/* The record of the thread that has a mutex, claimed if there is none; 0: no room. */
static uint32_t holder_of(int tid)
{
	struct plf_evidence_thread *thread = plf_evidence_thread_of(tid);

	if (thread == NULL) {
		plf_registry_lock();
		thread = see(tid);
		plf_registry_unlock();
	}
	return thread == NULL ? 0 : plf_evidence_number(thread);
}

struct plf_learn_wait plf_learn_wait_for(uint32_t tid)
{
	int saved = errno;
	struct plf_learn_wait wait = {
		.holder = tid == 0 ? 0 : holder_of((int)tid),
		.since_ns = time_ns(CLOCK_MONOTONIC),
	};

	errno = saved;
	return wait;
}

static void add_wait(struct plf_locker *locker, const struct plf_learn_wait *wait)
{
	uint64_t waited_ns = time_ns(CLOCK_MONOTONIC) - wait->since_ns;
	uint32_t number = plf_evidence_waited_for(locker, wait->holder);
	struct plf_waited_for *entry;

	plf_evidence_add(&locker->waits, 1);
	if (number == 0)
		return;
	entry = &plf_evidence->wait[number - 1];
	plf_evidence_add(&entry->waits, 1);
	plf_evidence_raise(&entry->longest_ns, waited_ns);
}

static void hold(uint32_t id, const struct plf_learn_wait *waited)
{
	struct plf_evidence_thread *self = me.record;
	struct plf_locker *locker;
	uint32_t number = plf_evidence_locker(id, self);

	if (number == 0)
		return;
	if (self->depth == PLF_LEARN_DEPTH) {
		plf_evidence_drop();
		return;
	}
	for (uint32_t i = 0; i < self->depth; i++)
		if (self->held[i].mutex != id)
			plf_evidence_nest(id, self->held[i].mutex);
	locker = &plf_evidence->locker[number - 1];
	plf_evidence_add(&locker->locks, 1);
	if (waited != NULL)
		add_wait(locker, waited);
	self->held[self->depth++] = (struct plf_held) {
		.mutex = id,
		.locker = number,
		.preemptions = preemptions(),
		.since_ns = time_ns(CLOCK_MONOTONIC),
	};
}

void plf_learn_handed_over(uint32_t id)
{
	if (id != 0)
		plf_evidence_mutex(id)->handed_over = true;
}

void plf_learn_gave_up(uint32_t id, const struct plf_learn_wait *waited)
{
	int saved = errno;
	uint32_t number;

	if (id != 0 && is_known(me.changed)) {
		number = plf_evidence_locker(id, me.record);
		if (number != 0)
			add_wait(&plf_evidence->locker[number - 1], waited);
	}
	errno = saved;
}

void plf_learn_locked(uint32_t id, const struct plf_learn_wait *waited)
{
	int saved = errno;

	if (id != 0 && is_known(me.changed))
		hold(id, waited);
	errno = saved;
}

/* Released in any order. If a mutex is not here, it was locked when there was no room. */
static void release(struct plf_evidence_thread *self, uint32_t id, uint64_t now_ns)
{
	struct plf_locker *locker;
	struct plf_held held;
	uint32_t at = self->depth;

	while (at > 0 && self->held[at - 1].mutex != id)
		at--;
	if (at == 0)
		return;
	held = self->held[at - 1];
	memmove(&self->held[at - 1], &self->held[at], (self->depth - at) * sizeof(held));
	self->depth--;
	locker = &plf_evidence->locker[held.locker - 1];
	plf_evidence_add(&locker->total_hold_ns, now_ns - held.since_ns);
	plf_evidence_raise(&locker->longest_hold_ns, now_ns - held.since_ns);
	plf_evidence_add(&locker->preempted, preemptions() > held.preemptions);
}

void plf_learn_unlocked(uint32_t id)
{
	uint64_t now_ns = time_ns(CLOCK_MONOTONIC);
	int saved = errno;

	if (id != 0 && me.record != NULL)
		release(me.record, id, now_ns);
	errno = saved;
}

/* ---- Activations ------------------------------------------------------- */

void plf_learn_wait_begin(void)
{
	me.sleeps = sleeps();
}

static void activated(struct plf_evidence_thread *self)
{
	uint64_t now_ns = time_ns(CLOCK_MONOTONIC);
	uint64_t ran_ns = time_ns(CLOCK_THREAD_CPUTIME_ID);

	if (self->returned_ns != 0) {
		uint64_t gap_ns = now_ns - self->returned_ns;

		if (self->shortest_gap_ns == 0 || gap_ns < self->shortest_gap_ns)
			__atomic_store_n(&self->shortest_gap_ns, gap_ns, __ATOMIC_RELAXED);
		plf_evidence_raise(&self->longest_run_ns, ran_ns - self->ran_ns);
	}
	self->returned_ns = now_ns;
	self->ran_ns = ran_ns;
	plf_evidence_add(&self->activations, 1);
}

/* If the call did not sleep, the same activation goes on. */
void plf_learn_wait_end(void)
{
	int saved = errno;

	if (sleeps() != me.sleeps && is_known(true))
		activated(me.record);
	errno = saved;
}
