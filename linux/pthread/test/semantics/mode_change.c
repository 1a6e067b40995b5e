/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A mutex that only one CPU has used is locked from another CPU: while it is held, while it is
 * free, and before its first lock. A mutex can be used so only once, so there are many.
 */
#include "../../../real_time/test/patience.h"
#include "team.h"

#include <unistd.h>

enum { MUTEXES = 400 };

static struct subject {
	pthread_mutex_t mutex;
	_Atomic int held;   /* the first thread has it */
	_Atomic int coming; /* the second thread is about to lock */
	_Atomic int inside;
	int entries;
} subjects[MUTEXES];
static int (*second_lock)(pthread_mutex_t *mutex);

static int setup(void **state)
{
	memset(subjects, 0, sizeof(subjects));
	for (int i = 0; i < MUTEXES; i++)
		make_mutex(&subjects[i].mutex, 40, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define mode_test(f) cmocka_unit_test_setup(f, setup)

static void enter(struct subject *s, unsigned us)
{
	int entries = s->entries;

	assert_int_equal(s->inside++, 0);
	stay_busy_us(us);
	s->entries = entries + 1;
	assert_int_equal(--s->inside, 0);
}

/* The two threads spin for each other for microseconds, each on its own CPU. */
static void wait_until(_Atomic int *flag)
{
	while (*flag == 0)
		;
}

static void hold_first(void *unused)
{
	UNUSED(unused);
	for (unsigned i = 0; i < MUTEXES; i++) {
		struct subject *s = &subjects[i];

		assert_ok(pthread_mutex_lock(&s->mutex));
		s->held = 1;
		wait_until(&s->coming);
		enter(s, i % 16);
		assert_ok(pthread_mutex_unlock(&s->mutex));
	}
	assert_int_equal(kernel_priority(gettid()), 20);
}

static void come_second(void *unused)
{
	UNUSED(unused);
	for (unsigned i = 0; i < MUTEXES; i++) {
		struct subject *s = &subjects[i];

		wait_until(&s->held);
		s->coming = 1;
		stay_busy_us(i % 5);
		assert_ok(second_lock(&s->mutex));
		enter(s, 0);
		assert_ok(pthread_mutex_unlock(&s->mutex));
	}
	assert_int_equal(kernel_priority(gettid()), 20);
}

/* The thread on CPU 1 is started first, because the other thread keeps main's CPU. */
static void on(int first_cpu, int second_cpu)
{
	struct member first, second;

	setup(NULL);
	if (second_cpu == 1)
		start_on(&second, second_cpu, 20, come_second, NULL);
	start_on(&first, first_cpu, 20, hold_first, NULL);
	if (second_cpu == 0)
		start_on(&second, second_cpu, 20, come_second, NULL);
	join(&first);
	join(&second);
	for (int i = 0; i < MUTEXES; i++) {
		assert_int_equal(subjects[i].entries, 2);
		assert_ok(pthread_mutex_destroy(&subjects[i].mutex));
	}
}

static int lock(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

static int timedlock(pthread_mutex_t *mutex)
{
	struct timespec end = in_ms(CLOCK_REALTIME, PLF_HUNG_S * 1000);

	return pthread_mutex_timedlock(mutex, &end);
}

static int try_until_free(pthread_mutex_t *mutex)
{
	int error;

	do
		error = pthread_mutex_trylock(mutex);
	while (error == EBUSY);
	return error;
}

static int (*const second_locks[])(pthread_mutex_t *mutex) = { lock, timedlock, try_until_free };

static void while_it_is_held(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 3; i++) {
		second_lock = second_locks[i];
		on(0, 1);
		on(1, 0);
	}
}

/* ---- Free, and new ------------------------------------------------------ */

static void lock_all(void *unused)
{
	UNUSED(unused);
	for (unsigned i = 0; i < MUTEXES; i++) {
		assert_ok(pthread_mutex_lock(&subjects[i].mutex));
		enter(&subjects[i], 0);
		assert_ok(pthread_mutex_unlock(&subjects[i].mutex));
	}
}

static void while_it_is_free(void **state)
{
	static const int cpus[] = { 0, 1, 0, ANY_CPU, 1 };
	struct member member;

	UNUSED(state);
	for (int i = 0; i < 5; i++) {
		start_on(&member, cpus[i], 20, lock_all, NULL);
		join(&member);
	}
	for (int i = 0; i < MUTEXES; i++)
		assert_int_equal(subjects[i].entries, 5);
}

/* Both threads come to a mutex that was never locked, at the same moment. */
static _Atomic int arrived[MUTEXES];

static void race(void *unused)
{
	UNUSED(unused);
	for (unsigned i = 0; i < MUTEXES; i++) {
		arrived[i]++;
		while (arrived[i] < 2)
			;
		assert_ok(pthread_mutex_lock(&subjects[i].mutex));
		enter(&subjects[i], i % 3);
		assert_ok(pthread_mutex_unlock(&subjects[i].mutex));
	}
}

static void before_its_first_lock(void **state)
{
	struct member first, second;

	UNUSED(state);
	for (int round = 0; round < 4; round++) {
		setup(NULL);
		memset(arrived, 0, sizeof(arrived));
		start_on(&second, 1, 20, race, NULL);
		start_on(&first, 0, 20, race, NULL);
		join(&first);
		join(&second);
		for (int i = 0; i < MUTEXES; i++)
			assert_int_equal(subjects[i].entries, 2);
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		mode_test(while_it_is_held),
		mode_test(while_it_is_free),
		mode_test(before_its_first_lock),
	};

	return cmocka_run_group_tests_name("mode change", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
