/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The waiter that a signal serves: the most urgent, and among equals the first. */
#include "team.h"

static pthread_mutex_t mutex;
static pthread_cond_t cond;

static int setup(void **state)
{
	assert_ok(pthread_cond_init(&cond, NULL));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define order_test(f) cmocka_unit_test_setup(f, setup)

static void wait_and_say(void *letter)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_wait(&cond, &mutex));
	note(*(char *)letter);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void start_waiters(struct member *member)
{
	static const int priority[] = { 20, 30, 30, 40, 15 };

	for (int i = 0; i < 5; i++)
		start(&member[i], priority[i], wait_and_say, (char *)"abcde" + i);
}

static void join_waiters(struct member *member)
{
	for (int i = 0; i < 5; i++)
		join(&member[i]);
}

static void signals_go_by_priority(void **state)
{
	struct member member[5];

	UNUSED(state);
	start_waiters(member);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(strlen(notes()), i);
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_cond_signal(&cond));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
	assert_string_equal(notes(), "dbcae");
	join_waiters(member);
}

static void several_signals_in_one_section(void **state)
{
	struct member member[5];

	UNUSED(state);
	start_waiters(member);
	assert_ok(pthread_mutex_lock(&mutex));
	for (int i = 0; i < 3; i++)
		assert_ok(pthread_cond_signal(&cond));
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "dbc");
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_broadcast(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "dbcae");
	join_waiters(member);
}

static void a_broadcast_goes_by_priority(void **state)
{
	struct member member[5];

	UNUSED(state);
	for (int inside = 0; inside < 2; inside++) {
		forget_notes();
		start_waiters(member);
		if (inside)
			assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_cond_broadcast(&cond));
		if (inside)
			assert_ok(pthread_mutex_unlock(&mutex));
		assert_string_equal(notes(), "dbcae");
		join_waiters(member);
	}
}

/* A more urgent waiter that comes after the first signal is served before the others. */
static void a_later_waiter_overtakes(void **state)
{
	struct member member[3];

	UNUSED(state);
	start(&member[0], 20, wait_and_say, "a");
	start(&member[1], 25, wait_and_say, "b");
	assert_ok(pthread_cond_signal(&cond));
	start(&member[2], 30, wait_and_say, "c");
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_cond_signal(&cond));
	assert_string_equal(notes(), expected(SIGNAL_TO_LATER_WAITER) ? "bca" : "bac");
	for (int i = 0; i < 3; i++)
		join(&member[i]);
}

/* The condition variable is destroyed and freed as soon as all waiters have been woken. */
static void destroyed_after_a_broadcast(void **state)
{
	struct member member[5];

	UNUSED(state);
	for (int round = 0; round < 50; round++) {
		start_waiters(member);
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_cond_broadcast(&cond));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_cond_destroy(&cond));
		memset(&cond, 0x5a, sizeof(cond));
		assert_ok(pthread_cond_init(&cond, NULL));
		join_waiters(member);
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		order_test(signals_go_by_priority),
		order_test(several_signals_in_one_section),
		order_test(a_broadcast_goes_by_priority),
		order_test(a_later_waiter_overtakes),
		order_test(destroyed_after_a_broadcast),
	};

	return cmocka_run_group_tests_name("condition order", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
