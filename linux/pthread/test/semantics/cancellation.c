/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Cancellation: inside a section, in a condition wait (whose cleanup handlers run with the mutex
 * held), and in calls that are no cancellation points.
 */
#include "../../../real_time/test/patience.h"
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static sem_t sem;
static int pipe_ends[2];

static int setup(void **state)
{
	assert_ok(sem_init(&sem, 0, 0));
	assert_ok(pthread_cond_init(&cond, NULL));
	assert_ok(pipe(pipe_ends));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
	return prepare_main(state);
}

#define cancel_test(f) cmocka_unit_test_setup(f, setup)

static void release(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(effective_priority(), 40);
	note('c');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
}

static void in_semaphore(void)
{
	sem_wait(&sem);
}

static void in_clock(void)
{
	sleep_ms(PLF_HUNG_S * 1000);
}

static void in_read(void)
{
	char byte;

	assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
}

static void in_pause(void)
{
	pause();
}

static void in_cond_wait(void)
{
	pthread_cond_wait(&cond, &mutex);
}

static void in_cond_timedwait(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, PLF_HUNG_S * 1000);

	pthread_cond_timedwait(&cond, &mutex, &end);
}

static void in_cond_clockwait(void)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, PLF_HUNG_S * 1000);

	pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &end);
}

static void in_testcancel(void)
{
	for (;;)
		pthread_testcancel();
}

static void (*const points[])(void) = { in_semaphore,	   in_clock,	 in_read,
					in_pause,	   in_cond_wait, in_cond_timedwait,
					in_cond_clockwait, in_testcancel };

enum { POINTS = sizeof(points) / sizeof(points[0]) };

static void block_inside(void *argument)
{
	assert_ok(pthread_mutex_lock(&mutex));
	pthread_cleanup_push(release, NULL);
	(*(void (*const *)(void))argument)();
	note('!');
	pthread_cleanup_pop(1);
}

static void expect_cancelled(struct member *member)
{
	void *result;

	assert_ok(pthread_join(member->thread, &result));
	assert_ptr_equal(result, PTHREAD_CANCELED);
}

static void expect_free(void)
{
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

/* All points except the last, which does not sleep. */
static void asleep_at_each_point(void **state)
{
	struct member member;

	UNUSED(state);
	for (int i = 0; i < POINTS - 1; i++) {
		forget_notes();
		start(&member, 20, block_inside, (void *)&points[i]);
		await_sleep(&member);
		assert_ok(pthread_cancel(member.thread));
		expect_cancelled(&member);
		assert_string_equal(notes(), "c");
		expect_free();
	}
}

static void cancel_then_block(void *argument)
{
	assert_ok(pthread_cancel(pthread_self()));
	block_inside(argument);
}

/* A request that came before the call takes effect with the mutex held. */
static void pending_at_each_point(void **state)
{
	struct member member;

	UNUSED(state);
	for (int i = 0; i < POINTS; i++) {
		forget_notes();
		start(&member, 20, cancel_then_block, (void *)&points[i]);
		expect_cancelled(&member);
		assert_string_equal(notes(), "c");
		expect_free();
	}
}

/* Another thread holds the mutex when the request comes, so the handler waits for it. */
static void while_another_holds_the_mutex(void **state)
{
	struct member member;

	UNUSED(state);
	for (int i = 4; i < 7; i++) {
		forget_notes();
		start(&member, 20, block_inside, (void *)&points[i]);
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_cancel(member.thread));
		note('h');
		sleep_ms(1);
		note('u');
		assert_ok(pthread_mutex_unlock(&mutex));
		expect_cancelled(&member);
		assert_string_equal(notes(), "huc");
		expect_free();
	}
}

/* A lock is no cancellation point, however long it waits. */
static void lock_pending(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('l');
	pthread_cleanup_push(release, NULL);
	pthread_testcancel();
	note('!');
	pthread_cleanup_pop(1);
}

static void a_lock_is_no_cancellation_point(void **state)
{
	struct member member;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&member, 20, lock_pending, NULL);
	await_sleep(&member);
	assert_ok(pthread_cancel(member.thread));
	sleep_ms(1);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_unlock(&mutex));
	expect_cancelled(&member);
	assert_string_equal(notes(), "lc");
	expect_free();
}

static void wait_disabled(void *unused)
{
	int old;

	UNUSED(unused);
	assert_ok(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_wait(&cond, &mutex));
	note('w');
	pthread_cleanup_push(release, NULL);
	assert_ok(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	pthread_testcancel();
	note('!');
	pthread_cleanup_pop(1);
}

static void not_while_it_is_disabled(void **state)
{
	struct member member;

	UNUSED(state);
	start(&member, 20, wait_disabled, NULL);
	assert_ok(pthread_cancel(member.thread));
	sleep_ms(1);
	assert_string_equal(notes(), "");
	assert_ok(pthread_cond_signal(&cond));
	expect_cancelled(&member);
	assert_string_equal(notes(), "wc");
	expect_free();
}

/* A cancelled waiter takes no signal from the others. */
static void wait_and_say(void *letter)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_wait(&cond, &mutex));
	note(*(char *)letter);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void a_signal_is_not_lost(void **state)
{
	struct member cancelled, other;

	UNUSED(state);
	for (int inside = 0; inside < 2; inside++) {
		forget_notes();
		start(&cancelled, 20, block_inside, (void *)&points[4]);
		start(&other, 15, wait_and_say, "o");
		if (inside)
			assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_cancel(cancelled.thread));
		assert_ok(pthread_cond_signal(&cond));
		if (inside)
			assert_ok(pthread_mutex_unlock(&mutex));
		expect_cancelled(&cancelled);
		join(&other);
		assert_string_equal(notes(), "co");
		expect_free();
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cancel_test(asleep_at_each_point),
		cancel_test(pending_at_each_point),
		cancel_test(while_another_holds_the_mutex),
		cancel_test(a_lock_is_no_cancellation_point),
		cancel_test(not_while_it_is_disabled),
		cancel_test(a_signal_is_not_lost),
	};

	return cmocka_run_group_tests_name("cancellation", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
