/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * In every race a thread with a right to a wake-up gets it, and no other thread does. If a wake-up
 * is lost, a thread stays asleep, and the test's alarm ends it. On one CPU and on two.
 */
#include "team.h"

enum { ROUNDS = 2000, ITEMS = 1500, SLOTS = 2, RACES = 400, WAITERS = 4 };

static pthread_mutex_t mutex;
static pthread_cond_t cond, not_full, not_empty;
static int tokens;

static int setup(void **state)
{
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	tokens = 0;
	assert_ok(pthread_cond_init(&cond, NULL));
	assert_ok(pthread_cond_init(&not_full, NULL));
	assert_ok(pthread_cond_init(&not_empty, NULL));
	return prepare_main(state);
}

#define race_test(f) cmocka_unit_test_setup(f, setup)

static void play(void *turn)
{
	int mine = *(int *)turn;

	for (int i = 0; i < ROUNDS; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		while (tokens % 2 != mine)
			assert_ok(pthread_cond_wait(&cond, &mutex));
		tokens++;
		if (i % 2 == 0)
			assert_ok(pthread_cond_signal(&cond));
		assert_ok(pthread_mutex_unlock(&mutex));
		if (i % 2 != 0)
			assert_ok(pthread_cond_signal(&cond));
	}
}

static void ping_pong(int other_cpu)
{
	static int turn[] = { 0, 1 };
	struct member first, second;

	start_on(&first, 0, 20, play, &turn[0]);
	start_on(&second, other_cpu, 30, play, &turn[1]);
	join(&first);
	join(&second);
	assert_int_equal(tokens, 2 * ROUNDS);
	assert_ok(pthread_cond_destroy(&cond));
}

static void ping_pong_on_one_cpu(void **state)
{
	UNUSED(state);
	ping_pong(0);
}

static void ping_pong_on_two_cpus(void **state)
{
	UNUSED(state);
	ping_pong(1);
}

static void produce(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < ITEMS; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		while (tokens == SLOTS)
			assert_ok(pthread_cond_wait(&not_full, &mutex));
		tokens++;
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_cond_signal(&not_empty));
	}
}

static void consume(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < ITEMS; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		while (tokens == 0)
			assert_ok(pthread_cond_wait(&not_empty, &mutex));
		tokens--;
		assert_ok(pthread_cond_signal(&not_full));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

/* Two producers and two consumers, on two CPUs. Each item is signalled: that must reach a waiter.
 */
static void bounded_buffer(void **state)
{
	struct member producer[2], consumer[2];

	UNUSED(state);
	for (int i = 0; i < 2; i++) {
		start_on(&producer[i], i, 20 + i, produce, NULL);
		start_on(&consumer[i], 1 - i, 22 - i, consume, NULL);
	}
	for (int i = 0; i < 2; i++) {
		join(&producer[i]);
		join(&consumer[i]);
	}
	assert_int_equal(tokens, 0);
	assert_ok(pthread_cond_destroy(&not_full));
	assert_ok(pthread_cond_destroy(&not_empty));
}

/* A time 20 to 272 us from now. */
static struct timespec soon(int i)
{
	struct timespec time = in_ms(CLOCK_MONOTONIC, 0);

	time.tv_nsec += 20000 + i % 64 * 4000;
	if (time.tv_nsec >= 1000000000) {
		time.tv_nsec -= 1000000000;
		time.tv_sec++;
	}
	return time;
}

static void consume_impatiently(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < RACES; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		while (tokens == 0) {
			struct timespec end = soon(i);
			int error = pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &end);

			assert_true(error == 0 || error == ETIMEDOUT);
		}
		tokens--;
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

static void consume_patiently(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < RACES; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		while (tokens == 0)
			assert_ok(pthread_cond_wait(&cond, &mutex));
		tokens--;
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

/* Signals come before, in and after a waiter's timeout, and must then reach the other waiter. */
static void signal_races_with_timeout(void **state)
{
	struct member impatient, patient;

	UNUSED(state);
	start_on(&impatient, 1, 30, consume_impatiently, NULL);
	start_on(&patient, 1, 20, consume_patiently, NULL);
	for (int i = 0; i < 2 * RACES; i++) {
		stay_busy_us((unsigned)(i * 37 % 256));
		assert_ok(pthread_mutex_lock(&mutex));
		tokens++;
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_cond_signal(&cond));
	}
	join(&impatient);
	join(&patient);
	assert_int_equal(tokens, 0);
	assert_ok(pthread_cond_destroy(&cond));
}

static void wait_once(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_wait(&cond, &mutex));
	note('w');
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* POSIX would allow more wake-ups, which cost time. */
static void a_signal_wakes_one(void **state)
{
	struct member waiter[WAITERS];

	UNUSED(state);
	for (int i = 0; i < WAITERS; i++)
		start(&waiter[i], 20, wait_once, NULL);
	for (size_t i = 0; i < WAITERS; i++) {
		assert_int_equal(strlen(notes()), i);
		assert_ok(pthread_cond_signal(&cond));
	}
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
	assert_ok(pthread_cond_destroy(&cond));
}

/* No thread runs between the signals: the second must not go to the thread that the first woke. */
static void each_signal_wakes_another(void **state)
{
	struct member waiter[WAITERS];

	UNUSED(state);
	for (int i = 0; i < WAITERS; i++)
		start(&waiter[i], 20 + i, wait_once, NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	for (int i = 0; i < WAITERS; i++)
		assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "wwww");
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
	assert_ok(pthread_cond_destroy(&cond));
}

static void signal_then_wait(void *unused)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, 10);

	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_signal(&cond));
	assert_int_equal(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &end), ETIMEDOUT);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Nor to a thread that began to wait after the signal, even if that thread is more urgent. */
static void no_signal_goes_to_a_later_waiter(void **state)
{
	struct member early, late;

	UNUSED(state);
	start(&early, 20, wait_once, NULL);
	start(&late, 30, signal_then_wait, NULL);
	assert_string_equal(notes(), "w");
	join(&early);
	join(&late);
	assert_ok(pthread_cond_destroy(&cond));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		race_test(ping_pong_on_one_cpu),
		race_test(ping_pong_on_two_cpus),
		race_test(bounded_buffer),
		race_test(signal_races_with_timeout),
		race_test(a_signal_wakes_one),
		race_test(each_signal_wakes_another),
		race_test(no_signal_goes_to_a_later_waiter),
	};

	return cmocka_run_group_tests_name("no wake-up lost", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
