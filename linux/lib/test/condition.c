/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The condition variable wakes the right waiters, in order, and loses no wake-up. */
#include "../../core/arena.h"
#include "../../core/futex.h"
#include "team.h"

#include <signal.h>
#include <unistd.h>

enum { WAITERS = 5, MS = 1000000, ROUNDS = 3000, RACES = 500 };

static plf_mutex_t mutex;
static plf_cond_t cond;
static volatile int tokens;

static int setup(void **state)
{
	tokens = 0;
	plf_cond_init(&cond);
	assert_ok(plf_mutex_init(&mutex, 60));
	return attach_main(state);
}

#define cond_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void call_unattached(void *unused)
{
	(void)unused;
	assert_int_equal(plf_cond_signal(&cond), EPERM);
	assert_int_equal(plf_cond_broadcast(&cond), EPERM);
	assert_int_equal(plf_cond_wait(&cond, &mutex), EPERM);
}

static void misuse_is_eperm(void **state)
{
	plf_mutex_t inner = PLF_MUTEX_INITIALIZER(60);
	struct member stranger;

	(void)state;
	start_stranger(&stranger, 50, call_unattached, NULL);
	join(&stranger);
	assert_int_equal(plf_cond_wait(&cond, &mutex), EPERM); /* not held */
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&inner));
	assert_int_equal(plf_cond_wait(&cond, &mutex), EPERM); /* not the innermost */
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_cond_destroy(&cond));
}

static void timeout_is_etimedout_and_locked(void **state)
{
	uint64_t until = plf_now() + 5 * MS;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, until), ETIMEDOUT);
	assert_true(plf_now() >= until);
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, 1), ETIMEDOUT);
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_cond_destroy(&cond)); /* the queue is empty */
}

static void wait_and_note(void *name)
{
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_cond_wait(&cond, &mutex));
	note(*(char *)name);
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* c arrives before d, at the same priority. The least urgent waiter arrives last, behind four. */
static void start_waiters(struct member *waiter)
{
	static const int priority[WAITERS] = { 20, 30, 40, 40, 15 };
	static char name[WAITERS] = { 'a', 'b', 'c', 'd', 'e' };

	for (int i = 0; i < WAITERS; i++)
		start(&waiter[i], priority[i], wait_and_note, &name[i]);
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
}

static void signal_wakes_highest_then_longest_waiting(void **state)
{
	struct member waiter[WAITERS];

	(void)state;
	start_waiters(waiter);
	for (int i = 0; i < WAITERS; i++) {
		assert_ok(plf_cond_signal(&cond));
		assert_int_equal(strlen(notes()), i + 1);
	}
	assert_string_equal(notes(), "cdbae");
	assert_ok(plf_cond_signal(&cond)); /* no thread waits */
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
	assert_ok(plf_cond_destroy(&cond));
}

/*
 * c and d have the same priority. c is ready first, but must give way to the open section. So d,
 * which is ready when that section ends, may go first.
 */
static void broadcast_wakes_all_by_priority(void **state)
{
	struct member waiter[WAITERS];

	(void)state;
	start_waiters(waiter);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_cond_broadcast(&cond));
	assert_string_equal(notes(), "");
	assert_ok(plf_mutex_unlock(&mutex));
	assert_true(strcmp(notes(), "cdbae") == 0 || strcmp(notes(), "dcbae") == 0);
	for (int i = 0; i < WAITERS; i++)
		join(&waiter[i]);
}

static void play(void *turn)
{
	int mine = *(int *)turn;

	for (int i = 0; i < ROUNDS; i++) {
		assert_ok(plf_mutex_lock(&mutex));
		while (tokens % 2 != mine)
			assert_ok(plf_cond_wait(&cond, &mutex));
		tokens++;
		assert_ok(plf_cond_signal(&cond));
		assert_ok(plf_mutex_unlock(&mutex));
	}
}

static void no_wakeup_is_lost_in_a_ping_pong(void **state)
{
	static int turn[] = { 0, 1 };
	struct member first, second;

	(void)state;
	start(&first, 20, play, &turn[0]);
	start(&second, 30, play, &turn[1]);
	join(&first);
	join(&second);
	assert_int_equal(tokens, 2 * ROUNDS);
}

static void consume(void *unused)
{
	(void)unused;
	for (int i = 0; i < RACES; i++) {
		assert_ok(plf_mutex_lock(&mutex));
		while (tokens == 0) {
			uint64_t until = plf_now() + 20000 + (uint64_t)(i % 64) * 4000;
			int error = plf_cond_timedwait(&cond, &mutex, until);

			assert_true(error == 0 || error == ETIMEDOUT);
		}
		tokens--;
		assert_ok(plf_mutex_unlock(&mutex));
	}
	note('e');
}

/* Deadlines of 20 to 272 us: signals meet the waiter before, in and after its timeout. */
static void signal_races_with_timeout(void **state)
{
	struct member consumer;

	(void)state;
	start(&consumer, 20, consume, NULL);
	for (int i = 0; i < RACES; i++) {
		assert_ok(plf_sleep_until(plf_now() + (uint64_t)(i * 37 % 256) * 1000));
		assert_ok(plf_mutex_lock(&mutex));
		tokens++;
		assert_ok(plf_mutex_unlock(&mutex));
		assert_ok(plf_cond_signal(&cond));
	}
	join(&consumer);
	assert_int_equal(tokens, 0);
	assert_ok(plf_cond_destroy(&cond));
}

static volatile bool signalled;

static void note_signal(int number)
{
	(void)number;
	signalled = true;
}

static void wait_and_note_error(void *name)
{
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_cond_timedwait(&cond, &mutex, plf_now() + 20000ULL * MS));
	note(*(char *)name);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void signal_handler_ends_no_wait(void **state)
{
	struct sigaction action = { .sa_handler = note_signal };
	struct member waiter;

	(void)state;
	signalled = false;
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	start(&waiter, 20, wait_and_note_error, "w");
	assert_ok(pthread_kill(waiter.thread, SIGUSR1));
	assert_true(signalled);
	assert_string_equal(notes(), "");
	assert_ok(plf_cond_signal(&cond));
	join(&waiter);
	assert_string_equal(notes(), "w");
}

static struct plf_slot *waiting;

static void wait_and_note_slot(void *name)
{
	waiting = plf_slot_of(plf_self);
	wait_and_note(name);
}

/* This is like the late wake-up of the thread's last wait. */
static void wake_up_without_signal_ends_no_wait(void **state)
{
	struct member waiter;

	(void)state;
	start(&waiter, 20, wait_and_note_slot, "w");
	plf_futex_wake(&waiting->wake);
	assert_string_equal(notes(), "");
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
	assert_ok(plf_cond_signal(&cond));
	join(&waiter);
	assert_string_equal(notes(), "w");
}

static void any_memory_can_be_a_condition(void **state)
{
	plf_cond_t any;

	(void)state;
	memset(&any, 0xff, sizeof(any));
	any.epoch = 0; /* this process's epoch; the rest is trusted */
	plf_cond_init(&any);
	assert_ok(plf_cond_signal(&any));
	assert_ok(plf_cond_broadcast(&any));
	assert_ok(plf_cond_destroy(&any));
	assert_int_equal(plf_cond_signal(&any), EINVAL); /* its queue has no ceiling any more */
}

static void wait_for_5_ms(void *result)
{
	assert_ok(plf_mutex_lock(&mutex));
	*(int *)result = plf_cond_timedwait(&cond, &mutex, plf_now() + 5 * MS);
	assert_ok(plf_mutex_unlock(&mutex));
}

/*
 * The time is over, but the waiter could not run since then. A signal that chooses the waiter is
 * not lost. If this thread had no processor for 5 ms, the wait was over before the section, and
 * starts again.
 */
static void signal_after_the_time_but_before_the_waiter(void **state)
{
	struct member waiter;
	int result = -1;
	uint64_t late;

	(void)state;
	start(&waiter, 20, wait_for_5_ms, &result);
	assert_ok(plf_mutex_lock(&mutex));
	while (__atomic_load_n(&result, __ATOMIC_RELAXED) != -1) {
		assert_ok(plf_mutex_unlock(&mutex));
		join(&waiter);
		assert_int_equal(result, ETIMEDOUT);
		result = -1;
		start(&waiter, 20, wait_for_5_ms, &result);
		assert_ok(plf_mutex_lock(&mutex));
	}
	late = plf_now() + 10 * MS;
	while (plf_now() < late)
		;
	assert_ok(plf_cond_signal(&cond));
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
	assert_ok(result);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cond_test(misuse_is_eperm),
		cond_test(timeout_is_etimedout_and_locked),
		cond_test(signal_wakes_highest_then_longest_waiting),
		cond_test(broadcast_wakes_all_by_priority),
		cond_test(no_wakeup_is_lost_in_a_ping_pong),
		cond_test(signal_races_with_timeout),
		cond_test(signal_handler_ends_no_wait),
		cond_test(wake_up_without_signal_ends_no_wait),
		cond_test(any_memory_can_be_a_condition),
		cond_test(signal_after_the_time_but_before_the_waiter),
	};

	return cmocka_run_group_tests_name("condition", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
