/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Locks with a time limit, on both clocks. A free mutex is locked at once, whatever the limit is.
 */
#include "../../../real_time/test/patience.h"
#include "team.h"

#include <limits.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static sem_t sem;

enum form { TIMEDLOCK, CLOCKLOCK_REALTIME, CLOCKLOCK_MONOTONIC, FORMS };

static clockid_t clock_of(enum form form)
{
	return form == CLOCKLOCK_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int lock_until(enum form form, struct timespec end)
{
	return form == TIMEDLOCK ? pthread_mutex_timedlock(&mutex, &end)
				 : pthread_mutex_clocklock(&mutex, clock_of(form), &end);
}

static int lock_for(enum form form, int ms)
{
	return lock_until(form, in_ms(clock_of(form), ms));
}

static int lock_with_bad_time(enum form form, long ns)
{
	struct timespec end = in_ms(clock_of(form), 1000);

	end.tv_nsec = ns;
	return lock_until(form, end);
}

static void a_free_mutex_is_locked_in_any_case(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	for (enum form form = 0; form < FORMS; form++) {
		assert_ok(lock_for(form, -1));
		assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(lock_for(form, 1000));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(lock_until(form, (struct timespec) { .tv_sec = -1 }));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(lock_with_bad_time(form, 1000000000));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(kernel_priority(gettid()), LOW);
	}
}

static void unknown_clocks_are_refused(void **state)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, 1000);

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
	assert_int_equal(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &end), EINVAL);
	assert_int_equal(pthread_mutex_clocklock(&mutex, 12345, &end), EINVAL);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

/* The holder of a mutex sleeps inside until it may go on. */
static void hold(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_wait(&sem));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void begin_hold(struct member *holder)
{
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	start(holder, 30, hold, NULL);
	await_sleep(holder);
}

/* By members, which end, because on plain glibc they do not return to the base priority. */
static void time_out(void *argument)
{
	enum form form = *(enum form *)argument;
	struct timespec end = in_ms(clock_of(form), 5);
	struct timespec now;

	assert_int_equal(lock_until(form, end), ETIMEDOUT);
	now = in_ms(clock_of(form), 0);
	assert_true(now.tv_sec > end.tv_sec ||
		    (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec));
	assert_int_equal(kernel_priority(gettid()), expected(AFTER_TIMEOUT));
	assert_int_equal(lock_for(form, -1), ETIMEDOUT);
	assert_int_equal(lock_until(form, (struct timespec) { .tv_sec = -1 }), ETIMEDOUT);
	assert_int_equal(lock_until(form, (struct timespec) { .tv_sec = 0 }), ETIMEDOUT);
	assert_int_equal(lock_with_bad_time(form, -1), EINVAL);
	assert_int_equal(lock_with_bad_time(form, 1000000000), EINVAL);
	/* not ETIMEDOUT, although the time is over */
	assert_int_equal(lock_until(form, (struct timespec) { .tv_sec = -1, .tv_nsec = -1 }),
			 EINVAL);
	assert_int_equal(
		lock_until(form, (struct timespec) { .tv_sec = -1, .tv_nsec = 1000000000 }),
		EINVAL);
	assert_int_equal(effective_priority(), expected(AFTER_TIMEOUT));
}

/* A wait inside another section, whose ceiling stays before, during and after the wait. */
static void time_out_in_a_section(void *argument)
{
	enum form form = *(enum form *)argument;
	pthread_mutex_t around;

	make_mutex(&around, 25, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&around));
	assert_int_equal(lock_for(form, 2), ETIMEDOUT);
	assert_int_equal(effective_priority(), expected(AFTER_TIMEOUT_INSIDE));
	assert_int_equal(lock_for(form, -1), ETIMEDOUT);
	assert_int_equal(lock_with_bad_time(form, -1), EINVAL);
	assert_int_equal(effective_priority(), expected(AFTER_TIMEOUT_INSIDE));
	assert_ok(pthread_mutex_unlock(&around));
	assert_int_equal(effective_priority(), expected(AFTER_TIMEOUT));
}

static void beside_a_holder(void (*body)(void *))
{
	struct member holder;

	begin_hold(&holder);
	for (enum form form = 0; form < FORMS; form++)
		run_as(LOW, body, &form);
	assert_ok(sem_post(&sem));
	join(&holder);
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void a_held_one_times_out(void **state)
{
	UNUSED(state);
	beside_a_holder(time_out);
}

static void another_section_stays_open(void **state)
{
	UNUSED(state);
	beside_a_holder(time_out_in_a_section);
}

/* A thread waits for its own mutex until the time is over, which may be at once. */
static void wait_for_oneself(void *unused)
{
	UNUSED(unused);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	for (enum form form = 0; form < FORMS; form++) {
		assert_int_equal(lock_for(form, 2), ETIMEDOUT);
		assert_int_equal(lock_for(form, -1), ETIMEDOUT);
		assert_int_equal(lock_until(form, (struct timespec) { .tv_sec = -1 }), ETIMEDOUT);
		assert_int_equal(lock_with_bad_time(form, -1), EINVAL);
		assert_int_equal(lock_with_bad_time(form, 1000000000), EINVAL);
		assert_int_equal(lock_with_bad_time(form, LONG_MAX), EINVAL);
		assert_int_equal(effective_priority(), 40);
	}
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), expected(AFTER_TIMEOUT));
}

static void an_owner_that_locks_again_times_out(void **state)
{
	UNUSED(state);
	run_as(LOW, wait_for_oneself, NULL);
}

static volatile sig_atomic_t interruptions;

static void on_interruption(int signal)
{
	UNUSED(signal);
	interruptions++;
}

static void interrupt_later(void *thread)
{
	sleep_ms(5);
	assert_ok(pthread_kill(*(const pthread_t *)thread, SIGUSR1));
}

/* Meanwhile a signal handler runs, after which system calls are not restarted. */
static void wait_for_oneself_on(void *unused)
{
	const struct sigaction action = { .sa_handler = on_interruption };
	pthread_t self = pthread_self();
	struct member helper;

	UNUSED(unused);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	assert_ok(pthread_mutex_lock(&mutex));
	for (enum form form = 0; form < FORMS; form++) {
		interruptions = 0;
		start(&helper, 50, interrupt_later, &self);
		assert_int_equal(lock_for(form, 20), ETIMEDOUT);
		join(&helper);
		assert_int_equal(interruptions, 1);
	}
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void a_handler_ends_no_wait_for_oneself(void **state)
{
	UNUSED(state);
	run_as(LOW, wait_for_oneself_on, NULL);
}

static void release_later(void *unused)
{
	UNUSED(unused);
	sleep_ms(5);
	assert_ok(sem_post(&sem));
}

static void a_release_in_time_is_a_lock(void **state)
{
	struct member holder, helper;

	UNUSED(state);
	for (enum form form = 0; form < FORMS; form++) {
		begin_hold(&holder);
		start(&helper, 50, release_later, NULL);
		assert_ok(lock_for(form, PLF_HUNG_S * 1000));
		assert_int_equal(effective_priority(), 40);
		assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(kernel_priority(gettid()), LOW);
		join(&holder);
		join(&helper);
	}
}

static pthread_mutex_t own;

static void hold_and_lock_own(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_lock(&own));
	assert_ok(pthread_mutex_unlock(&own));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The holder waits for the caller's mutex, so only the time limit ends the caller's wait. */
static void a_cycle_times_out(void **state)
{
	static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE };

	UNUSED(state);
	for (int i = 0; i < 2; i++) {
		struct member holder;

		make_mutex(&mutex, 40, types[i]);
		make_mutex(&own, 40, types[i]);
		assert_ok(pthread_mutex_lock(&own));
		start(&holder, 20, hold_and_lock_own, NULL);
		await_sleep(&holder);
		assert_int_equal(lock_for(CLOCKLOCK_MONOTONIC, 10), ETIMEDOUT);
		assert_ok(pthread_mutex_unlock(&own));
		join(&holder);
		assert_ok(lock_for(CLOCKLOCK_MONOTONIC, -1));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_free_mutex_is_locked_in_any_case),
		team_test(unknown_clocks_are_refused),
		team_test(a_held_one_times_out),
		team_test(a_release_in_time_is_a_lock),
		team_test(another_section_stays_open),
		team_test(an_owner_that_locks_again_times_out),
		team_test(a_handler_ends_no_wait_for_oneself),
		team_test(a_cycle_times_out),
	};

	return cmocka_run_group_tests_name("timedlock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
