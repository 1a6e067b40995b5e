/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * "A condition wait (whether timed or not) is a cancellation point": cleanup handlers run with the
 * mutex held, and a cancelled thread consumes no signal that another thread could have had.
 */
#include "../../../real_time/test/patience.h"
#include "ours.h"

#include <semaphore.h>

enum { RACES = 300 };

static pthread_mutex_t mutex, outer;
static pthread_cond_t cond;
static sem_t taken;
static int tokens;
static bool over;

static int setup(void **state)
{
	make_mutex(&mutex, 60, PTHREAD_MUTEX_ERRORCHECK);
	make_mutex(&outer, 60, PTHREAD_MUTEX_ERRORCHECK);
	assert_ok(pthread_cond_init(&cond, NULL));
	assert_ok(sem_init(&taken, 0, 0));
	tokens = 0;
	over = false;
	return prepare_main(state);
}

#define cancellation_test(f) cmocka_unit_test_setup(f, setup)

static void unlock_and_note(void *unused)
{
	UNUSED(unused);
	note('c');
	as_another(expect_busy, &mutex);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static int plainly(void)
{
	return pthread_cond_wait(&cond, &mutex);
}

static int timed(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, PLF_HUNG_S * 1000);

	return pthread_cond_timedwait(&cond, &mutex, &end);
}

static int clocked(void)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, PLF_HUNG_S * 1000);

	return pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &end);
}

static int (*const waits[])(void) = { plainly, timed, clocked };

enum { WAITS = sizeof(waits) / sizeof(waits[0]) };

static void wait_for_ever(void *wait)
{
	assert_ok(pthread_mutex_lock(&mutex));
	pthread_cleanup_push(unlock_and_note, NULL);
	for (;;)
		assert_ok((*(int (*const *)(void))wait)());
	pthread_cleanup_pop(0);
}

static void expect_cancelled(struct member *member)
{
	void *result;

	assert_ok(pthread_join(member->thread, &result));
	assert_ptr_equal(result, PTHREAD_CANCELED);
	as_another(expect_free, &mutex);
}

static void in_each_wait(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < WAITS; i++) {
		struct member waiter;

		forget_notes();
		start(&waiter, 20, wait_for_ever, (void *)&waits[i]);
		assert_ok(pthread_cancel(waiter.thread));
		expect_cancelled(&waiter);
		assert_string_equal(notes(), "c");
	}
	assert_ok(pthread_cond_destroy(&cond)); /* no thread is left in it */
}

static void unlock_outer(void *unused)
{
	UNUSED(unused);
	note('o');
	as_another(expect_busy, &outer);
	assert_ok(pthread_mutex_unlock(&outer));
}

static void wait_inside(void *wait)
{
	assert_ok(pthread_mutex_lock(&outer));
	pthread_cleanup_push(unlock_outer, NULL);
	wait_for_ever(wait);
	pthread_cleanup_pop(0);
}

static void inside_another_section(void **state)
{
	struct member waiter;

	UNUSED(state);
	start(&waiter, 20, wait_inside, (void *)&waits[0]);
	assert_ok(pthread_cancel(waiter.thread));
	expect_cancelled(&waiter);
	assert_string_equal(notes(), "co");
	as_another(expect_free, &outer);
	assert_ok(pthread_cond_destroy(&cond));
}

static void wait_when_cancelled(void *unused)
{
	int old;

	UNUSED(unused);
	assert_ok(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	assert_ok(sem_wait(&taken));
	assert_ok(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	wait_for_ever((void *)&waits[0]);
}

/* A request that came before the call takes effect in it, with the mutex held. */
static void requested_before(void **state)
{
	struct member waiter;

	UNUSED(state);
	start(&waiter, 20, wait_when_cancelled, NULL);
	assert_ok(pthread_cancel(waiter.thread));
	assert_ok(sem_post(&taken));
	expect_cancelled(&waiter);
	assert_string_equal(notes(), "c");
	assert_ok(pthread_cond_destroy(&cond));
}

static void wait_uncancelled(void *unused)
{
	int old;

	UNUSED(unused);
	assert_ok(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	assert_ok(pthread_mutex_lock(&mutex));
	while (tokens == 0)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	assert_ok(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
	assert_int_equal(old, PTHREAD_CANCEL_DEFERRED); /* as it was before the wait */
	note('w');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	pthread_testcancel();
}

static void disabled_is_put_off(void **state)
{
	struct member waiter;

	UNUSED(state);
	start(&waiter, 20, wait_uncancelled, NULL);
	assert_ok(pthread_cancel(waiter.thread));
	sleep_ms(2);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_lock(&mutex));
	tokens = 1;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	expect_cancelled(&waiter);
	assert_string_equal(notes(), "w");
	assert_ok(pthread_cond_destroy(&cond));
}

static void unlock_mutex(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void take_a_token(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	pthread_cleanup_push(unlock_mutex, NULL);
	while (tokens == 0 && !over)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	if (tokens > 0) {
		tokens--;
		assert_ok(sem_post(&taken));
	}
	pthread_cleanup_pop(1);
}

/*
 * The more urgent of two waiters is signalled and cancelled at the same time. Either it takes the
 * token, or the other waiter is woken and takes it; `taken` is posted in both cases.
 */
static void race(int round)
{
	struct member cancelled, other;

	over = false;
	start_on(&cancelled, 1, 30, take_a_token, NULL);
	start_on(&other, 1, 20, take_a_token, NULL);
	stay_busy_us(round % 3 == 0 ? 200 : 20); /* asleep, or on their way */
	assert_ok(pthread_mutex_lock(&mutex));
	tokens = 1;
	assert_ok(pthread_mutex_unlock(&mutex));
	if (round % 2 == 0) {
		assert_ok(pthread_cond_signal(&cond));
		stay_busy_us((unsigned)(round % 23));
		assert_ok(pthread_cancel(cancelled.thread));
	} else {
		assert_ok(pthread_cancel(cancelled.thread));
		stay_busy_us((unsigned)(round % 23));
		assert_ok(pthread_cond_signal(&cond));
	}
	assert_ok(sem_wait(&taken));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(tokens, 0);
	over = true;
	assert_ok(pthread_cond_broadcast(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&cancelled);
	join(&other);
}

static void takes_no_signal_from_others(void **state)
{
	UNUSED(state);
	for (int round = 0; round < RACES; round++)
		race(round);
	assert_ok(pthread_cond_destroy(&cond));
}

/*
 * The same without chance: the waiter is cancelled when it is woken but not yet running, because
 * main keeps the CPU. The other waiter sleeps, and must be woken instead.
 */
static void cancelled_after_it_was_woken(void **state)
{
	struct member cancelled, other;

	UNUSED(state);
	start(&cancelled, 9, take_a_token, NULL);
	start(&other, 8, take_a_token, NULL);
	await_sleep(&cancelled);
	await_sleep(&other);
	assert_ok(pthread_mutex_lock(&mutex));
	tokens = 1;
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_cancel(cancelled.thread));
	assert_ok(sem_wait(&taken));
	assert_int_equal(tokens, 0);
	assert_ok(pthread_mutex_lock(&mutex));
	over = true;
	assert_ok(pthread_cond_broadcast(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&cancelled);
	join(&other);
	assert_ok(pthread_cond_destroy(&cond));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cancellation_test(in_each_wait),
		cancellation_test(inside_another_section),
		cancellation_test(requested_before),
		cancellation_test(disabled_is_put_off),
		cancellation_test(cancelled_after_it_was_woken),
		cancellation_test(takes_no_signal_from_others),
	};

	return cmocka_run_group_tests_name("cancellation", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
