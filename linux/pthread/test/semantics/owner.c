/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The field in which glibc keeps the owner of a mutex. Scripts that look for deadlocks, and
 * assertions of programs, read it.
 */
#include "differences.h"
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static sem_t sem;

static int owner(void)
{
	return mutex.__data.__owner;
}

static int lock(void)
{
	return pthread_mutex_lock(&mutex);
}

static int trylock(void)
{
	return pthread_mutex_trylock(&mutex);
}

static int timedlock(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2000);

	return pthread_mutex_timedlock(&mutex, &end);
}

static int (*const locks[])(void) = { lock, trylock, timedlock };

enum { LOCKS = sizeof(locks) / sizeof(locks[0]) };

static void own(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < LOCKS; i++) {
		assert_int_equal(owner(), 0);
		assert_ok(locks[i]());
		assert_int_equal(owner(), gettid());
		sleep_ms(1);
		assert_int_equal(owner(), gettid());
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(owner(), 0);
	}
}

/* A mutex local to a CPU, and a mutex shared by two CPUs. */
static void of_each_lock(void **state)
{
	static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				     PTHREAD_MUTEX_ERRORCHECK };
	struct member elsewhere;

	UNUSED(state);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		make_mutex(&mutex, 40, types[i]);
		run_as(20, own, NULL);
		start_on(&elsewhere, 1, 20, own, NULL);
		join(&elsewhere);
		run_as(20, own, NULL);
	}
}

/* After a wait the waiter is the owner. If the owner sleeps inside, it stays the owner. */
static void wait_and_own(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(owner(), gettid());
	assert_ok(sem_post(&sem));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void of_a_waiter(void **state)
{
	struct member waiter;

	UNUSED(state);
	assert_ok(sem_init(&sem, 0, 0));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&waiter, 20, wait_and_own, NULL);
	await_sleep(&waiter);
	assert_int_equal(owner(), gettid());
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(sem_wait(&sem));
	join(&waiter);
	assert_int_equal(owner(), 0);
}

/* A waiter that gives up does not become the owner. */
static void wait_in_vain(void *unused)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);
	int holder = owner();

	UNUSED(unused);
	assert_int_equal(pthread_mutex_timedlock(&mutex, &end), ETIMEDOUT);
	assert_int_equal(owner(), holder);
}

static void of_the_holder_when_a_waiter_gives_up(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	run_as(20, wait_in_vain, NULL);
	assert_int_equal(owner(), gettid());
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(owner(), 0);
}

static volatile bool was_late;

/* First until a time that passes, then for a signal. */
static void wait_for_condition(void *cond)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);

	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_cond_timedwait(cond, &mutex, &end), ETIMEDOUT);
	assert_int_equal(owner(), gettid());
	was_late = true;
	assert_ok(pthread_cond_wait(cond, &mutex));
	assert_int_equal(owner(), gettid());
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void of_a_condition(void **state)
{
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct member member;

	UNUSED(state);
	was_late = false;
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	start(&member, 20, wait_for_condition, &cond);
	while (!was_late)
		sleep_ms(1);
	await_sleep(&member);
	assert_int_equal(owner(), 0);
	assert_ok(pthread_cond_signal(&cond));
	join(&member);
}

static void own_in_the_child(void *unused)
{
	UNUSED(unused);
	assert_int_equal(owner(), on_plafond() ? gettid() : getppid());
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(owner(), 0);
}

/* The child's only thread owns main's mutex; glibc keeps main's TID. */
static void of_a_child(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(in_child(own_in_the_child, NULL), 0);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(of_each_lock),
		team_test(of_a_waiter),
		team_test(of_the_holder_when_a_waiter_gives_up),
		team_test(of_a_condition),
		team_test(of_a_child),
	};

	return cmocka_run_group_tests_name("owner", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
