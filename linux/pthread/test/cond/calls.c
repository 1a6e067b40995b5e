/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Each call alone: its result, its clock, and whether the mutex is held again. */
#include "ours.h"

#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;

static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
			     PTHREAD_MUTEX_ERRORCHECK };

enum { TYPES = sizeof(types) / sizeof(types[0]) };

static void make_cond(clockid_t clock)
{
	pthread_condattr_t attr;

	assert_ok(pthread_condattr_init(&attr));
	assert_ok(pthread_condattr_setclock(&attr, clock));
	assert_ok(pthread_cond_init(&cond, &attr));
	assert_ok(pthread_condattr_destroy(&attr));
}

static bool is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static void no_thread_waits(void **state)
{
	UNUSED(state);
	make_cond(CLOCK_REALTIME);
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_cond_broadcast(&cond));
	assert_ok(pthread_cond_destroy(&cond));
}

static void time_out(clockid_t clock, int (*wait_until)(const struct timespec *))
{
	struct timespec end = in_ms(clock, 5);
	struct timespec past = in_ms(clock, -1);
	struct timespec before_the_epoch = { .tv_sec = -1 };

	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(wait_until(&end), ETIMEDOUT);
	assert_false(is_before(in_ms(clock, 0), end));
	as_another(expect_busy, &mutex);
	assert_int_equal(wait_until(&past), ETIMEDOUT);
	assert_int_equal(wait_until(&before_the_epoch), ETIMEDOUT);
	as_another(expect_busy, &mutex);
	assert_ok(pthread_mutex_unlock(&mutex));
	as_another(expect_free, &mutex);
}

static int by_timedwait(const struct timespec *time)
{
	return pthread_cond_timedwait(&cond, &mutex, time);
}

static int by_realtime(const struct timespec *time)
{
	return pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, time);
}

static int by_monotonic(const struct timespec *time)
{
	return pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, time);
}

static void timeouts_by_either_clock(void **state)
{
	static const clockid_t clocks[] = { CLOCK_REALTIME, CLOCK_MONOTONIC };

	UNUSED(state);
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	for (int i = 0; i < 2; i++) {
		make_cond(clocks[i]);
		time_out(clocks[i], by_timedwait);
		time_out(CLOCK_REALTIME, by_realtime);
		time_out(CLOCK_MONOTONIC, by_monotonic);
		assert_ok(pthread_cond_destroy(&cond));
	}
}

static void bad_arguments(void **state)
{
	struct timespec time = in_ms(CLOCK_REALTIME, 5);
	struct timespec negative = { .tv_sec = time.tv_sec, .tv_nsec = -1 };
	struct timespec large = { .tv_sec = time.tv_sec, .tv_nsec = 1000000000 };

	UNUSED(state);
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	make_cond(CLOCK_REALTIME);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(by_timedwait(&negative), EINVAL);
	assert_int_equal(by_timedwait(&large), EINVAL);
	assert_int_equal(by_realtime(&negative), EINVAL);
	assert_int_equal(by_monotonic(&large), EINVAL);
	assert_int_equal(pthread_cond_clockwait(&cond, &mutex, CLOCK_BOOTTIME, &time), EINVAL);
	assert_int_equal(pthread_cond_clockwait(&cond, &mutex, -1, &time), EINVAL);
	as_another(expect_busy, &mutex);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_cond_destroy(&cond));
}

/*
 * "[EPERM] The mutex type is PTHREAD_MUTEX_ERRORCHECK or the mutex is a robust mutex, and the
 * current thread does not own the mutex." glibc also returns it for a recursive mutex, and the
 * drop-in for all its mutexes.
 */
static void not_owned(void **state)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 5);

	UNUSED(state);
	make_cond(CLOCK_REALTIME);
	for (int i = 0; i < TYPES; i++) {
		if (types[i] == PTHREAD_MUTEX_NORMAL && !are_ours())
			continue;
		make_mutex(&mutex, 60, types[i]);
		assert_int_equal(pthread_cond_wait(&cond, &mutex), EPERM);
		assert_int_equal(by_timedwait(&end), EPERM);
		assert_int_equal(by_monotonic(&end), EPERM);
		as_another(expect_free, &mutex);
	}
	assert_ok(pthread_cond_destroy(&cond)); /* no thread is left in it */
}

static volatile int ready;

static void wait_until_ready(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	while (!ready)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	note('w');
	as_another(expect_busy, &mutex);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void let_go(int (*wake)(pthread_cond_t *))
{
	struct member waiter;

	ready = 0;
	start(&waiter, 30, wait_until_ready, NULL);
	assert_int_equal(effective_priority(), LOW);
	assert_ok(pthread_mutex_lock(&mutex));
	ready = 1;
	assert_ok(wake(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&waiter);
}

static void every_type_of_mutex(void **state)
{
	UNUSED(state);
	for (int i = 0; i < TYPES; i++) {
		make_mutex(&mutex, 60, types[i]);
		make_cond(i % 2 == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
		let_go(pthread_cond_signal);
		let_go(pthread_cond_broadcast);
		assert_ok(pthread_cond_destroy(&cond));
	}
	assert_string_equal(notes(), "wwwwww");
}

static void static_initialiser(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	let_go(pthread_cond_signal);
	time_out(CLOCK_REALTIME, by_timedwait);
	assert_ok(pthread_cond_destroy(&cond));
}

/* After its destruction it is no longer the drop-in's, and each attribute is read again. */
static void initialised_again(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 4; i++) {
		make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
		make_cond(i % 2 == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
		let_go(pthread_cond_signal);
		time_out(i % 2 == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, by_timedwait);
		if (i > 1)
			assert_ok(pthread_cond_destroy(&cond)); /* else only overwritten */
	}
}

static void let_go_if_busy(void *unused)
{
	UNUSED(unused);
	expect_busy(&mutex);
	ready = 1;
	assert_ok(pthread_cond_signal(&cond));
}

static void let_go_if_free(void *unused)
{
	UNUSED(unused);
	expect_free(&mutex);
	ready = 1;
	assert_ok(pthread_cond_signal(&cond));
}

/* A less urgent thread runs when main sleeps in its wait. */
static void wait_while(void (*body)(void *))
{
	struct member other;

	ready = 0;
	start(&other, 5, body, NULL);
	while (!ready)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	join(&other);
}

/* A mutex that is locked twice stays locked while its owner waits, so no other thread gets it. */
static void recursive_is_unlocked_once(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 60, PTHREAD_MUTEX_RECURSIVE);
	make_cond(CLOCK_REALTIME);
	assert_ok(pthread_mutex_lock(&mutex));
	wait_while(let_go_if_free);
	assert_ok(pthread_mutex_lock(&mutex));
	wait_while(let_go_if_busy);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
	assert_ok(pthread_cond_destroy(&cond));
}

static void ignore(int number)
{
	UNUSED(number);
}

static void wait_through_signals(void *result)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, 60000);

	assert_ok(pthread_mutex_lock(&mutex));
	((int *)result)[0] = pthread_cond_wait(&cond, &mutex);
	((int *)result)[1] = by_monotonic(&end);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Never EINTR: after the handler the wait goes on, with and without a timeout. */
static void signal_handlers_do_not_end_the_wait(void **state)
{
	struct sigaction action = { .sa_handler = ignore };
	struct member waiter;
	int result[2] = { -1, -1 };

	UNUSED(state);
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	make_cond(CLOCK_REALTIME);
	start(&waiter, 20, wait_through_signals, result);
	for (int wait = 0; wait < 2; wait++) {
		for (int i = 0; i < 5; i++) {
			assert_ok(pthread_kill(waiter.thread, SIGUSR1));
			assert_int_equal(result[wait], -1);
		}
		assert_ok(pthread_cond_signal(&cond));
		assert_int_equal(result[wait], 0);
	}
	join(&waiter);
	assert_ok(pthread_cond_destroy(&cond));
}

static pthread_mutex_t outer;

static void wait_inside(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&outer));
	assert_ok(pthread_mutex_lock(&mutex));
	while (!ready)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	assert_int_equal(effective_priority(), 60);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&outer));
	assert_int_equal(effective_priority(), 20);
}

/* During the wait the thread has given back this ceiling, but not those of its other sections. */
static void wait_inside_another_section(void **state)
{
	struct member waiter;

	UNUSED(state);
	make_mutex(&outer, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	make_cond(CLOCK_REALTIME);
	ready = 0;
	start(&waiter, 20, wait_inside, NULL);
	assert_int_equal(kernel_priority(waiter.tid), 40);
	assert_ok(pthread_mutex_lock(&mutex));
	ready = 1;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&waiter);
	assert_ok(pthread_cond_destroy(&cond));
}

static void wait_above_the_ceiling(void *result)
{
	assert_ok(pthread_mutex_lock(&mutex));
	*(int *)result = pthread_cond_wait(&cond, &mutex);
}

/* The ceiling fell meanwhile, so the mutex cannot be locked, and the wait returns that error. */
static void lock_error_is_returned(void **state)
{
	struct member waiter;
	int result = -1, old;

	UNUSED(state);
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	make_cond(CLOCK_REALTIME);
	start(&waiter, 30, wait_above_the_ceiling, &result);
	assert_ok(pthread_mutex_setprioceiling(&mutex, 20, &old));
	assert_ok(pthread_cond_signal(&cond));
	join(&waiter);
	assert_int_equal(result, EINVAL);
	expect_free(&mutex);
	assert_ok(pthread_cond_destroy(&cond));
}

static void lock_and_end(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
}

static void wait_for_owner_death(void *result)
{
	assert_ok(pthread_mutex_lock(&mutex));
	*(int *)result = pthread_cond_wait(&cond, &mutex);
	assert_ok(pthread_mutex_consistent(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Priority protected, if that is possible. */
static void make_robust_mutex(void)
{
	pthread_mutexattr_t attr;

	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
	if (are_ours()) {
		assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
		assert_ok(pthread_mutexattr_setprioceiling(&attr, 50));
	}
	assert_ok(pthread_mutex_init(&mutex, &attr));
	assert_ok(pthread_mutexattr_destroy(&attr));
}

/* The mutex is held nevertheless, and the wait was woken. */
static void owner_death_is_returned(void **state)
{
	struct member waiter;
	int result = -1;

	UNUSED(state);
	make_robust_mutex();
	make_cond(CLOCK_REALTIME);
	start(&waiter, 30, wait_for_owner_death, &result);
	as_another(lock_and_end, NULL);
	assert_ok(pthread_cond_signal(&cond));
	join(&waiter);
	assert_int_equal(result, EOWNERDEAD);
	as_another(expect_free, &mutex);
	assert_ok(pthread_cond_destroy(&cond));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(no_thread_waits),
		team_test(timeouts_by_either_clock),
		team_test(bad_arguments),
		team_test(not_owned),
		team_test(every_type_of_mutex),
		team_test(static_initialiser),
		team_test(initialised_again),
		team_test(recursive_is_unlocked_once),
		team_test(signal_handlers_do_not_end_the_wait),
		team_test(wait_inside_another_section),
		team_test(lock_error_is_returned),
		team_test(owner_death_is_returned),
	};

	return cmocka_run_group_tests_name("calls", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
