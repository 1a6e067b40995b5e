/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * An owner that sleeps inside its section delays no thread that does not want the mutex. A thread
 * at or below the ceiling runs meanwhile, and may be the thread that wakes the owner.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex, other;
static sem_t sem;
static pthread_cond_t cond;
static pthread_barrier_t barrier;
static int pipe_ends[2];

static int setup(void **state)
{
	assert_ok(sem_init(&sem, 0, 0));
	assert_ok(pthread_cond_init(&cond, NULL));
	assert_ok(pthread_barrier_init(&barrier, NULL, 2));
	assert_ok(pipe(pipe_ends));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&other, 39, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define wait_test(f) cmocka_unit_test_setup(f, setup)

/* How the owner sleeps, and how the other thread wakes it. */
static void in_semaphore(void)
{
	assert_ok(sem_wait(&sem));
}

static void post(void)
{
	assert_ok(sem_post(&sem));
}

static void in_condition(void)
{
	assert_ok(pthread_mutex_lock(&other));
	assert_ok(pthread_cond_wait(&cond, &other));
	assert_ok(pthread_mutex_unlock(&other));
}

static void signal_inside(void)
{
	assert_ok(pthread_mutex_lock(&other));
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&other));
}

static void in_read(void)
{
	char byte;

	assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
}

static void write_byte(void)
{
	assert_int_equal(write(pipe_ends[1], "", 1), 1);
}

static void in_barrier(void)
{
	pthread_barrier_wait(&barrier);
}

static const struct meeting {
	void (*sleep)(void);
	void (*wake)(void);
} meetings[] = {
	{ in_semaphore, post },
	{ in_condition, signal_inside },
	{ in_read, write_byte },
	{ in_barrier, in_barrier },
};

enum { MEETINGS = sizeof(meetings) / sizeof(meetings[0]) };

static void sleep_inside(void *argument)
{
	const struct meeting *meeting = argument;

	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	meeting->sleep();
	assert_int_equal(effective_priority(), 40);
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 25);
}

/* The covered thread sleeps itself before it wakes the owner, so its wake-up must not wait. */
static void wake_the_owner(void *argument)
{
	const struct meeting *meeting = argument;

	sleep_ms(2);
	note('w');
	meeting->wake();
	note('W');
}

static void meet(int waker_priority)
{
	struct member owner, waker;

	for (int i = 0; i < MEETINGS; i++) {
		forget_notes();
		start(&owner, 25, sleep_inside, (void *)&meetings[i]);
		start(&waker, waker_priority, wake_the_owner, (void *)&meetings[i]);
		join(&owner);
		join(&waker);
		assert_string_equal(notes(), "(w)W");
	}
}

static void a_covered_thread_wakes_the_owner(void **state)
{
	UNUSED(state);
	meet(15);
	meet(24);
	meet(25);
	meet(30);
	meet(39);
}

/* The waker has its own section, with a ceiling not above that of the sleeping owner. */
static void wake_from_a_section(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&other));
	sleep_ms(2);
	note('w');
	post();
	note('W');
	assert_ok(pthread_mutex_unlock(&other));
}

static void the_waker_has_a_section_too(void **state)
{
	struct member owner, waker;

	UNUSED(state);
	start(&owner, 25, sleep_inside, (void *)&meetings[0]);
	start(&waker, 15, wake_from_a_section, NULL);
	join(&owner);
	join(&waker);
	assert_string_equal(notes(), "(w)W");
}

/* Three owners sleep inside until the owner below wakes them; they unlock from the bottom up. */
static pthread_mutex_t chain[3];
static sem_t links[4];

static void one_of_the_chain(void *argument)
{
	int i = *(int *)argument;

	assert_ok(pthread_mutex_lock(&chain[i]));
	assert_ok(sem_wait(&links[i]));
	note((char)('a' + i));
	assert_ok(sem_post(&links[i + 1]));
	assert_ok(pthread_mutex_unlock(&chain[i]));
}

static void a_chain_of_sleeping_owners(void **state)
{
	static const int indices[] = { 0, 1, 2 };
	struct member member[3];

	UNUSED(state);
	for (int i = 0; i < 4; i++)
		assert_ok(sem_init(&links[i], 0, 0));
	for (int i = 0; i < 3; i++)
		make_mutex(&chain[i], 40 + i, PTHREAD_MUTEX_NORMAL);
	for (int round = 0; round < 2; round++) {
		forget_notes();
		for (int i = 0; i < 3; i++)
			start(&member[i], round ? 20 + i : 22 - i, one_of_the_chain,
			      (void *)&indices[i]);
		for (int i = 0; i < 3; i++)
			await_sleep(&member[i]);
		assert_ok(sem_post(&links[0]));
		assert_ok(sem_wait(&links[3]));
		assert_string_equal(notes(), "abc");
		for (int i = 0; i < 3; i++)
			join(&member[i]);
	}
}

/* The owner waits for a mutex whose owner, lower and covered, also sleeps. */
static void hold_other(void *waiter)
{
	assert_ok(pthread_mutex_lock(&other));
	await_sleep(waiter);
	note('o');
	assert_ok(pthread_mutex_unlock(&other));
}

static void take_both(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	assert_ok(pthread_mutex_lock(&other));
	note(')');
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&other));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void it_waits_for_a_covered_owner(void **state)
{
	struct member low, high = { 0 };

	UNUSED(state);
	start(&low, 15, hold_other, &high);
	start(&high, 25, take_both, NULL);
	join(&high);
	join(&low);
	assert_string_equal(notes(), "(o)");
}

/* That owner is woken by a thread that the first owner's section covers. */
static void lock_other(void)
{
	assert_ok(pthread_mutex_lock(&other));
	note('+');
	assert_ok(pthread_mutex_unlock(&other));
}

static void change_other(void)
{
	int old;

	assert_ok(pthread_mutex_setprioceiling(&other, 39, &old));
	note('+');
}

static void hold_other_until_posted(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&other));
	in_semaphore();
	note('o');
	assert_ok(pthread_mutex_unlock(&other));
}

static void use_other_inside(void *use)
{
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	(*(void (*const *)(void))use)();
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void its_owner_waits_for_a_covered_thread(void **state)
{
	static void (*const uses[])(void) = { lock_other, change_other };
	struct member low, high, waker;

	UNUSED(state);
	for (int i = 0; i < 2; i++) {
		forget_notes();
		start(&low, 15, hold_other_until_posted, NULL);
		start(&high, 25, use_other_inside, (void *)&uses[i]);
		start(&waker, 20, wake_the_owner, (void *)&meetings[0]);
		join(&high);
		join(&low);
		join(&waker);
		assert_int_equal(notes()[0], '(');
		assert_int_equal(notes()[1], 'w');
	}
}

/* A thread at its ceiling does not wait for a section that covers its base priority. */
static void take_other_inside(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_wait(&sem));
	assert_ok(pthread_mutex_lock(&other));
	note('o');
	assert_ok(pthread_mutex_unlock(&other));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void it_waits_for_no_lower_section(void **state)
{
	pthread_mutex_t lower;
	struct member owner;

	UNUSED(state);
	make_mutex(&lower, 30, PTHREAD_MUTEX_NORMAL);
	start(&owner, 25, take_other_inside, NULL);
	assert_ok(pthread_mutex_lock(&lower));
	post();
	note('l');
	assert_ok(pthread_mutex_unlock(&lower));
	join(&owner);
	assert_string_equal(notes(), "ol");
}

static void say(void *letter)
{
	note(*(char *)letter);
}

static void a_thread_joined_inside(void **state)
{
	struct member child;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&child, 5, say, "c");
	note('(');
	join(&child);
	note(')');
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "(c)");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		wait_test(a_covered_thread_wakes_the_owner),
		wait_test(the_waker_has_a_section_too),
		wait_test(a_chain_of_sleeping_owners),
		wait_test(it_waits_for_a_covered_owner),
		wait_test(its_owner_waits_for_a_covered_thread),
		wait_test(it_waits_for_no_lower_section),
		wait_test(a_thread_joined_inside),
	};

	return cmocka_run_group_tests_name("waits inside", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
