/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Condition variables with priority-protect mutexes: a wait gives up the mutex and its ceiling, and
 * returns with both.
 */
#include "team.h"

#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static int turn;

static int setup(void **state)
{
	turn = 0;
	assert_ok(pthread_cond_init(&cond, NULL));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
	return prepare_main(state);
}

#define cond_test(f) cmocka_unit_test_setup(f, setup)

/*
 * A more urgent thread runs at once, but it may be delayed by a page fault, or by another program
 * that holds the kernel's lock of the address space. So await its wait.
 */
static void start_and_await_wait(struct member *member, void (*body)(void *), void *argument)
{
	start(member, 20, body, argument);
	await_sleep(member);
}

static void set_turn(int value)
{
	assert_ok(pthread_mutex_lock(&mutex));
	turn = value;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void wait_for_turn(void *unused)
{
	int base = base_priority();

	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	while (turn == 0)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	assert_int_equal(pthread_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(base_priority(), base);
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), base);
}

static void the_mutex_is_free_during_the_wait(void **state)
{
	struct member member;

	UNUSED(state);
	start_and_await_wait(&member, wait_for_turn, NULL);
	assert_int_equal(kernel_priority(member.tid), 20);
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	set_turn(1);
	join(&member);
	assert_string_equal(notes(), "()");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

/* Sections that contain only the wait, and no query of the priority: the lazy way in and out. */
static void ping_pong(void *unused)
{
	UNUSED(unused);
	for (int i = 1; i <= 1000; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		while (turn != i)
			assert_ok(pthread_cond_wait(&cond, &mutex));
		turn = -i;
		assert_ok(pthread_cond_signal(&cond));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

static void to_and_fro(int cpu)
{
	struct member member;

	start_on(&member, cpu, 20, ping_pong, NULL);
	for (int i = 1; i <= 1000; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		turn = i;
		assert_ok(pthread_cond_signal(&cond));
		while (turn != -i)
			assert_ok(pthread_cond_wait(&cond, &mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
	join(&member);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void to_and_fro_on_one_cpu(void **state)
{
	UNUSED(state);
	to_and_fro(0);
}

static void to_and_fro_on_two_cpus(void **state)
{
	UNUSED(state);
	to_and_fro(1);
}

static void the_signalled_one_waits_for_the_section(void **state)
{
	struct member member;

	UNUSED(state);
	start_and_await_wait(&member, wait_for_turn, NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	turn = 1;
	assert_ok(pthread_cond_signal(&cond));
	note('s');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "(s)");
	join(&member);
}

static void a_signal_without_the_mutex(void **state)
{
	struct member member;

	UNUSED(state);
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_cond_broadcast(&cond));
	start_and_await_wait(&member, wait_for_turn, NULL);
	assert_string_equal(notes(), "(");
	turn = 1;
	assert_ok(pthread_cond_signal(&cond));
	assert_string_equal(notes(), "()");
	join(&member);
}

/* Other sections, and their ceilings, stay during the wait. */
static void wait_within(void *around)
{
	assert_ok(pthread_mutex_lock(around));
	assert_ok(pthread_mutex_lock(&mutex));
	while (turn == 0)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(around));
	assert_int_equal(effective_priority(), 20);
}

static void another_section_stays_open(void **state)
{
	pthread_mutex_t around;
	struct member member;

	UNUSED(state);
	make_mutex(&around, 30, PTHREAD_MUTEX_NORMAL);
	start_and_await_wait(&member, wait_within, &around);
	assert_int_equal(kernel_priority(member.tid), 30);
	assert_int_equal(pthread_mutex_trylock(&around), EBUSY);
	set_turn(1);
	join(&member);
	assert_ok(pthread_mutex_trylock(&around));
	assert_ok(pthread_mutex_unlock(&around));
}

static void a_mutex_that_is_not_held(void **state)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);

	UNUSED(state);
	assert_int_equal(pthread_cond_wait(&cond, &mutex), EPERM);
	assert_int_equal(pthread_cond_timedwait(&cond, &mutex, &end), EPERM);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The same condition variable first with a plain mutex, then with ours, and again. */
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fixed = PTHREAD_COND_INITIALIZER;

static void wait_fixed(void *with)
{
	assert_ok(pthread_mutex_lock(with));
	assert_ok(pthread_cond_wait(&fixed, with));
	note('w');
	assert_ok(pthread_mutex_unlock(with));
}

static void with_other_mutexes_in_turn(void **state)
{
	pthread_mutex_t *in_turn[] = { &plain, &mutex, &plain, &mutex };
	struct member member;

	UNUSED(state);
	for (int i = 0; i < 4; i++) {
		forget_notes();
		start_and_await_wait(&member, wait_fixed, in_turn[i]);
		assert_ok(pthread_cond_signal(&fixed));
		assert_string_equal(notes(), "w");
		join(&member);
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cond_test(the_mutex_is_free_during_the_wait),
		cond_test(to_and_fro_on_one_cpu),
		cond_test(to_and_fro_on_two_cpus),
		cond_test(the_signalled_one_waits_for_the_section),
		cond_test(a_signal_without_the_mutex),
		cond_test(another_section_stays_open),
		cond_test(a_mutex_that_is_not_held),
		cond_test(with_other_mutexes_in_turn),
	};

	return cmocka_run_group_tests_name("condition", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
