/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * "A condition variable can be destroyed immediately after all the threads that are blocked on it
 * are awakened": no thread touches it after pthread_cond_destroy() has returned. Its memory is
 * overwritten at once, and checked later.
 */
#include "team.h"

#include <semaphore.h>
#include <sys/resource.h>

enum { ROUNDS = 400, WAITERS = 3, DEBRIS = 0xa5 };

static pthread_mutex_t mutex;
static pthread_cond_t cond[2]; /* of even and of odd rounds */
static sem_t all_wait;
static int current, waiting;

static void wait_every_round(void *unused)
{
	UNUSED(unused);
	for (int round = 0; round < ROUNDS; round++) {
		assert_ok(pthread_mutex_lock(&mutex));
		if (++waiting == WAITERS)
			assert_ok(sem_post(&all_wait));
		while (current == round)
			assert_ok(pthread_cond_wait(&cond[round % 2], &mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

static void expect_debris(const pthread_cond_t *where)
{
	pthread_cond_t debris;

	memset(&debris, DEBRIS, sizeof(debris));
	assert_memory_equal(where, &debris, sizeof(debris));
}

static void end_round(int round, bool inside)
{
	pthread_cond_t *here = &cond[round % 2], *next = &cond[(round + 1) % 2];

	assert_ok(sem_wait(&all_wait));
	assert_ok(pthread_mutex_lock(&mutex)); /* so all have unlocked it: they are blocked */
	waiting = 0;
	if (round > 0)
		expect_debris(next);
	assert_ok(pthread_cond_init(next, NULL));
	current++;
	assert_ok(pthread_cond_broadcast(here));
	if (!inside)
		assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_cond_destroy(here));
	memset(here, DEBRIS, sizeof(*here));
	if (inside)
		assert_ok(pthread_mutex_unlock(&mutex));
}

static void destroy_right_after_broadcast(const int *cpu, bool inside)
{
	struct member waiter[WAITERS];

	current = waiting = 0;
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&all_wait, 0, 0));
	assert_ok(pthread_cond_init(&cond[0], NULL));
	for (int i = 0; i < WAITERS; i++)
		start_on(&waiter[i], cpu[i], 20 + i, wait_every_round, NULL);
	for (int round = 0; round < ROUNDS; round++)
		end_round(round, inside);
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
	expect_debris(&cond[(ROUNDS - 1) % 2]);
	assert_ok(pthread_cond_destroy(&cond[ROUNDS % 2]));
}

static const int one_cpu[WAITERS] = { 0, 0, 0 };
static const int two_cpus[WAITERS] = { 0, 1, 1 };

static void inside_the_section(void **state)
{
	UNUSED(state);
	destroy_right_after_broadcast(one_cpu, true);
}

static void inside_the_section_on_two_cpus(void **state)
{
	UNUSED(state);
	destroy_right_after_broadcast(two_cpus, true);
}

static void outside_on_two_cpus(void **state)
{
	UNUSED(state);
	destroy_right_after_broadcast(two_cpus, false);
}

/*
 * A woken waiter first leaves, and then waits for the section that covers it. So the destroyer,
 * which is in that section, does not sleep for it.
 */
static _Atomic bool is_over;

static void wait_until_over(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	while (!is_over)
		assert_ok(pthread_cond_wait(&cond[0], &mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static long sleeps(void)
{
	struct rusage usage;

	assert_ok(getrusage(RUSAGE_THREAD, &usage));
	return usage.ru_nvcsw;
}

static void by_a_thread_that_covers_the_waiter(void **state)
{
	pthread_mutex_t around;
	struct member waiter;
	long before;

	UNUSED(state);
	is_over = false;
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	make_mutex(&around, 60, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_cond_init(&cond[0], NULL));
	start(&waiter, 20, wait_until_over, NULL);
	await_sleep(&waiter);
	assert_ok(pthread_mutex_lock(&around));
	is_over = true;
	assert_ok(pthread_cond_broadcast(&cond[0]));
	before = sleeps();
	assert_ok(pthread_cond_destroy(&cond[0]));
	if (way_of_ceilings() == FRAMED)
		assert_int_equal(sleeps(), before);
	assert_ok(pthread_mutex_unlock(&around));
	join(&waiter);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(inside_the_section),
		team_test(inside_the_section_on_two_cpus),
		team_test(outside_on_two_cpus),
		team_test(by_a_thread_that_covers_the_waiter),
	};

	return cmocka_run_group_tests_name("destruction", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
