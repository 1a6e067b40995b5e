/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * "If more than one thread is blocked on a condition variable, the scheduling policy shall
 * determine the order in which threads are unblocked": the most urgent first, which also gets the
 * mutex first after a broadcast.
 */
#include "team.h"

enum { WAITERS = 4 };

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static int tickets;

static int setup(void **state)
{
	make_mutex(&mutex, 60, PTHREAD_MUTEX_ERRORCHECK);
	tickets = 0;
	assert_ok(pthread_cond_init(&cond, NULL));
	return prepare_main(state);
}

#define order_test(f) cmocka_unit_test_setup(f, setup)

static void wait_and_note(void *name)
{
	assert_ok(pthread_mutex_lock(&mutex));
	while (tickets == 0)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	tickets--;
	note(*(char *)name);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* In an order that is not that of their priorities. */
static void start_waiters(struct member *waiter)
{
	static const int priority[WAITERS] = { 30, 20, 50, 40 };
	static char name[WAITERS] = { '3', '2', '5', '4' };

	for (int i = 0; i < WAITERS; i++)
		start(&waiter[i], priority[i], wait_and_note, &name[i]);
}

static void signalled_by_priority(void **state)
{
	struct member waiter[WAITERS];

	UNUSED(state);
	start_waiters(waiter);
	for (int i = 0; i < WAITERS; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		tickets++;
		assert_ok(pthread_cond_signal(&cond));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(strlen(notes()), i + 1);
	}
	assert_string_equal(notes(), "5432");
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
	assert_ok(pthread_cond_destroy(&cond));
}

static void broadcast(bool inside)
{
	struct member waiter[WAITERS];

	start_waiters(waiter);
	assert_ok(pthread_mutex_lock(&mutex));
	tickets = WAITERS;
	if (inside) {
		assert_ok(pthread_cond_broadcast(&cond));
		assert_string_equal(notes(), "");
	}
	assert_ok(pthread_mutex_unlock(&mutex));
	if (!inside)
		assert_ok(pthread_cond_broadcast(&cond));
	assert_string_equal(notes(), "5432");
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
	assert_ok(pthread_cond_destroy(&cond));
}

static void broadcast_inside_the_section(void **state)
{
	UNUSED(state);
	broadcast(true);
}

static void broadcast_outside(void **state)
{
	UNUSED(state);
	broadcast(false);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		order_test(signalled_by_priority),
		order_test(broadcast_inside_the_section),
		order_test(broadcast_outside),
	};

	return cmocka_run_group_tests_name("wake-up order", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
