/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The effect of an unlock on other threads: the most urgent waiter gets the mutex, and the
 * unlocking thread keeps its place before others of its priority.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static sem_t sem;

static void lock_and_say(void *letter)
{
	assert_ok(pthread_mutex_lock(&mutex));
	note(*(char *)letter);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The waiters come while the owner sleeps inside. They are served by priority, then in order. */
static void the_most_urgent_waiter_is_next(void **state)
{
	static const int priority[] = { 20, 30, 30, 40, 15 };
	struct member member[5];

	UNUSED(state);
	make_mutex(&mutex, 50, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	for (int i = 0; i < 5; i++) {
		start(&member[i], priority[i], lock_and_say, (char *)"abcde" + i);
		await_sleep(&member[i]);
	}
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), expected(WAITERS_BY_PRIORITY) ? "dbcae" : "abcde");
	for (int i = 0; i < 5; i++)
		join(&member[i]);
}

static void wait_and_say(void *letter)
{
	assert_ok(sem_wait(&sem));
	note(*(char *)letter);
}

/* A thread of equal priority is ready all the time. */
static void not_moved_behind_its_peers(void **state)
{
	struct member peer;

	UNUSED(state);
	make_mutex(&mutex, 50, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	for (int asked = 0; asked < 2; asked++) {
		forget_notes();
		start(&peer, LOW, wait_and_say, "p");
		await_sleep(&peer);
		assert_ok(sem_post(&sem));
		assert_ok(pthread_mutex_lock(&mutex));
		note('1');
		if (asked)
			assert_int_equal(effective_priority(), 50);
		assert_ok(pthread_mutex_unlock(&mutex));
		note('2');
		join(&peer);
		assert_string_equal(notes(), "12p");
	}
}

/* The same if a more urgent thread came and waited for the end of the section. */
static void not_even_after_a_preemption(void **state)
{
	struct member peer, covered;

	UNUSED(state);
	make_mutex(&mutex, 50, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	start(&peer, LOW, wait_and_say, "p");
	start(&covered, 30, wait_and_say, "c");
	await_sleep(&peer);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_post(&sem));
	assert_ok(sem_post(&sem));
	note('1');
	assert_ok(pthread_mutex_unlock(&mutex));
	note('2');
	join(&peer);
	join(&covered);
	assert_string_equal(notes(), "1c2p");
}

/* The same if the base priority is changed inside, down and up again. */
static void not_moved_by_a_change_of_priority(void **state)
{
	struct member peer;

	UNUSED(state);
	make_mutex(&mutex, 50, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	start(&peer, LOW, wait_and_say, "p");
	await_sleep(&peer);
	assert_ok(sem_post(&sem));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_setschedprio(pthread_self(), 5));
	assert_ok(pthread_setschedprio(pthread_self(), LOW));
	note('1');
	assert_ok(pthread_mutex_unlock(&mutex));
	note('2');
	join(&peer);
	assert_string_equal(notes(), "12p");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(the_most_urgent_waiter_is_next),
		team_test(not_moved_behind_its_peers),
		team_test(not_even_after_a_preemption),
		team_test(not_moved_by_a_change_of_priority),
	};

	return cmocka_run_group_tests_name("unlock order", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
