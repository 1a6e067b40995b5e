/* SPDX-License-Identifier: MIT */
/* Scheduling calls after the kernel has acted. */
#define _GNU_SOURCE
#include "module.h"
#include "tests.h"

#include <unistd.h>

static void by_schedparam(pthread_t thread, int tid, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	UNUSED(tid);
	assert_ok(pthread_setschedparam(thread, SCHED_FIFO, &param));
}

static void by_schedprio(pthread_t thread, int tid, int priority)
{
	UNUSED(tid);
	assert_ok(pthread_setschedprio(thread, priority));
}

static void by_scheduler(pthread_t thread, int tid, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	UNUSED(thread);
	assert_ok(sched_setscheduler(tid, SCHED_FIFO, &param));
}

static void by_param(pthread_t thread, int tid, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	UNUSED(thread);
	assert_ok(sched_setparam(tid, &param));
}

static void (*const calls[])(pthread_t, int, int) = { by_schedparam, by_schedprio, by_scheduler,
						      by_param };

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static int higher(int a, int b)
{
	return a > b ? a : b;
}

/* A change of the owner's base, by the owner or by a more urgent thread. */
static struct change {
	void (*call)(pthread_t, int, int);
	pthread_t thread;
	int tid, to;
} change;

static void make_change(void *unused)
{
	UNUSED(unused);
	change.call(change.thread, change.tid, change.to);
}

static void say_covered(void *unused)
{
	UNUSED(unused);
	assert_ok(sem_wait(&sem));
	note('c');
}

/* A thread just below the ceiling is always ready: it runs if the owner falls below the ceiling. */
static void change_inside(bool by_another, void (*raise)(void))
{
	struct member covered;

	forget_notes();
	start(&covered, CEILING - 1, say_covered, NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	raise();
	assert_ok(sem_post(&sem));
	if (by_another)
		run_as(90, make_change, NULL);
	else
		make_change(NULL);
	assert_int_equal(kernel_own(), higher(change.to, CEILING));
	assert_int_equal(effective_priority(), higher(change.to, CEILING));
	assert_int_equal(base_priority(), change.to);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), change.to < CEILING - 1 ? "c" : "");
	expect_outside(change.to);
	lock_often(change.to <= CEILING ? 2 : 0);
	expect_outside(change.to);
	join(&covered);
}

static void change_each_way(void *unused)
{
	static const int to[] = { 5, LOW, 20, CEILING, 60 };

	UNUSED(unused);
	for (int i = 0; i < CALLS * RAISES * 5 * 2; i++) {
		change = (struct change) { .call = calls[i % CALLS],
					   .thread = pthread_self(),
					   .tid = gettid(),
					   .to = to[i / CALLS % 5] };
		change_inside(i / CALLS / 5 % 2, raises[i / CALLS / 5 / 2]);
		assert_ok(pthread_setschedprio(pthread_self(), LOW));
	}
}

void a_changed_base_waits_for_the_end(void **state)
{
	UNUSED(state);
	run_as(LOW, change_each_way, NULL);
}

static _Atomic bool is_last;

static void go_in_and_out(void *unused)
{
	UNUSED(unused);
	for (bool last = false; !last;) {
		last = is_last;
		assert_ok(pthread_mutex_lock(&inner));
		assert_ok(pthread_mutex_lock(&mutex));
		assert_true(effective_priority() >= CEILING);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_true(effective_priority() >= 20);
		assert_ok(pthread_mutex_unlock(&inner));
		lock_often(5);
	}
	expect_outside(change.to);
}

/* From the other CPU, if there is another, at any step of the owner. */
static void change_again_and_again(void *argument)
{
	const struct member *owner = argument;

	while (owner->tid == 0)
		rest();
	change.thread = owner->thread;
	change.tid = owner->tid;
	for (int i = 0; i < 400; i++) {
		change.call = calls[i % CALLS];
		change.to = 5 + i % 15;
		make_change(NULL);
		usleep(30 + (unsigned)i % 70);
	}
	is_last = true;
}

void a_base_may_change_at_any_moment(void **state)
{
	int last_cpu = (int)sysconf(_SC_NPROCESSORS_CONF) - 1;
	struct member owner = { .tid = 0 }, changer;

	UNUSED(state);
	is_last = false;
	start_on(&changer, last_cpu, 50, change_again_and_again, &owner);
	start(&owner, LOW, go_in_and_out, NULL);
	join(&changer);
	join(&owner);
}
