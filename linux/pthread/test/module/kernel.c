/* SPDX-License-Identifier: MIT */
/* A thread in a section as the kernel sees it, and the kernel's answers about it. */
#define _GNU_SOURCE
#include "module.h"
#include "tests.h"

#include <unistd.h>

static void sleep_inside(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	assert_ok(sem_wait(&sem));
	note('h');
	assert_ok(pthread_mutex_unlock(&mutex));
	note(')');
	assert_int_equal(kernel_own(), 20);
}

/* The covered thread is more urgent than the owner. The owner goes on first when it is woken. */
static void wake_owner(void *unused)
{
	UNUSED(unused);
	note('w');
	assert_ok(sem_post(&sem));
	note('W');
}

void a_sleeper_is_at_its_ceiling(void **state)
{
	struct member owner, waker;

	UNUSED(state);
	start(&owner, 20, sleep_inside, NULL);
	await_sleep(&owner);
	assert_int_equal(kernel_priority(owner.tid), CEILING);
	start(&waker, 30, wake_owner, NULL);
	join(&owner);
	join(&waker);
	assert_string_equal(notes(), "(whW)");
}

void a_caller_that_asks_is_raised(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 3; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		assert_int_equal(effective_priority(), CEILING);
		assert_int_equal(kernel_own(), CEILING);
		assert_int_equal(base_priority(), LOW);
		assert_ok(pthread_mutex_unlock(&mutex));
		expect_outside(LOW);
	}
}

/* The module lends SCHED_FIFO, but the program's policy stays the same for the program. */
static void ask_for_policy(void *policy)
{
	int base = base_priority();

	for (int i = 0; i < RAISES; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		raises[i]();
		assert_int_equal(sched_getscheduler(0), *(int *)policy);
		assert_int_equal(sched_getscheduler(gettid()), *(int *)policy);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(sched_getscheduler(0), *(int *)policy);
		expect_outside(base);
	}
}

void the_policy_stays_the_programs(void **state)
{
	struct member member;

	UNUSED(state);
	for (int policy = SCHED_FIFO; policy <= SCHED_RR; policy++) {
		start_as(&member, policy, 0, 20, ask_for_policy, &policy);
		join(&member);
		start_as(&member, policy, 0, CEILING, ask_for_policy, &policy);
		join(&member);
	}
}

static void do_nothing(void *unused)
{
	UNUSED(unused);
}

/* The ceiling equals the thread's own priority, so nothing is lent. */
static void fork_at_ceiling(void *policy)
{
	for (int i = 0; i < RAISES; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		raises[i]();
		assert_int_equal(in_child(do_nothing, NULL), 0);
		assert_int_equal(sched_getscheduler(0), *(int *)policy);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(sched_getscheduler(0), *(int *)policy);
		expect_outside(CEILING);
	}
}

void also_at_the_ceiling(void **state)
{
	struct member member;

	UNUSED(state);
	for (int policy = SCHED_FIFO; policy <= SCHED_RR; policy++) {
		start_as(&member, policy, 0, CEILING, fork_at_ceiling, &policy);
		join(&member);
	}
}
