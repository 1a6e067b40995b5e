/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Nested sections: the highest ceiling that is held counts, to any depth. The end of a section
 * releases exactly the threads that no other section covers.
 */
#include "enter_kernel.h"
#include "team.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEPTH = 70 }; /* more than the drop-in accounts for */

static pthread_mutex_t outer, inner;
static pthread_mutex_t many[DEPTH];
static sem_t sem;

static int setup(void **state)
{
	assert_ok(sem_init(&sem, 0, 0));
	return prepare_main(state);
}

#define nest_test(f) cmocka_unit_test_setup(f, setup)

static void wait_then_run(void *unused)
{
	UNUSED(unused);
	assert_ok(sem_wait(&sem));
	note('m');
}

/* A thread of priority 20 arrives during nested sections. */
static void arrival(int outer_ceiling, int inner_ceiling, const char *order)
{
	struct member member;

	forget_notes();
	make_mutex(&outer, outer_ceiling, PTHREAD_MUTEX_NORMAL);
	make_mutex(&inner, inner_ceiling, PTHREAD_MUTEX_NORMAL);
	start(&member, 20, wait_then_run, NULL);
	assert_ok(pthread_mutex_lock(&outer));
	assert_ok(pthread_mutex_lock(&inner));
	note('2');
	assert_ok(sem_post(&sem));
	note('1');
	assert_ok(pthread_mutex_unlock(&inner));
	note('0');
	assert_ok(pthread_mutex_unlock(&outer));
	join(&member);
	assert_string_equal(notes(), order);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void the_section_that_covers_is_waited_for(void **state)
{
	UNUSED(state);
	arrival(15, 40, "21m0");
	arrival(40, 15, "210m");
	arrival(40, 30, "210m");
	arrival(30, 40, "210m");
	arrival(20, 20, "210m");
	arrival(15, 19, "2m10");
}

static void a_section_opened_meanwhile_counts(void **state)
{
	struct member member;

	UNUSED(state);
	make_mutex(&outer, 30, PTHREAD_MUTEX_NORMAL);
	make_mutex(&inner, 40, PTHREAD_MUTEX_NORMAL);
	start(&member, 35, wait_then_run, NULL);
	assert_ok(pthread_mutex_lock(&outer));
	assert_ok(pthread_mutex_lock(&inner));
	assert_ok(sem_post(&sem));
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_unlock(&inner));
	assert_string_equal(notes(), "m");
	assert_ok(pthread_mutex_unlock(&outer));
	join(&member);
}

static int ceiling_of(int i, bool rising)
{
	return rising ? LOW + 1 + i : LOW + DEPTH - i;
}

/* Query the priority after each lock and each unlock, so that it is set in the kernel each time. */
static void asked_at_each_depth(bool rising)
{
	for (int i = 0; i < DEPTH; i++) {
		make_mutex(&many[i], ceiling_of(i, rising), PTHREAD_MUTEX_NORMAL);
		assert_ok(pthread_mutex_lock(&many[i]));
		assert_int_equal(effective_priority(), ceiling_of(rising ? i : 0, rising));
	}
	for (int i = DEPTH - 1; i >= 0; i--) {
		assert_int_equal(effective_priority(), ceiling_of(rising ? i : 0, rising));
		assert_ok(pthread_mutex_unlock(&many[i]));
	}
	assert_int_equal(effective_priority(), LOW);
}

static void more_than_twenty_asked(void **state)
{
	UNUSED(state);
	asked_at_each_depth(true);
	asked_at_each_depth(false);
}

/* The same without a query: threads that arrive during the innermost section show the ceilings. */
static void more_than_twenty_felt(void **state)
{
	struct member member[4];
	static const int priority[] = { 15, 30, 50, 74 };
	size_t done = 4;

	UNUSED(state);
	for (int i = 0; i < DEPTH; i++) {
		make_mutex(&many[i], ceiling_of(i, true), PTHREAD_MUTEX_NORMAL);
		assert_ok(pthread_mutex_lock(&many[i]));
	}
	for (int i = 0; i < 4; i++)
		start(&member[i], priority[i], wait_then_run, NULL);
	for (int i = 0; i < 4; i++)
		assert_ok(sem_post(&sem));
	for (int i = DEPTH - 1; i >= 0; i--) {
		int top = i > 0 ? ceiling_of(i - 1, true) : LOW;

		assert_int_equal(strlen(notes()), 4 - done);
		assert_ok(pthread_mutex_unlock(&many[i]));
		while (done > 0 && priority[done - 1] > top)
			done--;
	}
	assert_string_equal(notes(), "mmmm");
	for (int i = 0; i < 4; i++)
		join(&member[i]);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

/* Opposite nesting of two threads makes no deadlock, because the ceilings prevent it. */
static void lock_the_other_way_round(void *unused)
{
	UNUSED(unused);
	assert_ok(sem_wait(&sem));
	assert_ok(pthread_mutex_lock(&inner));
	assert_ok(pthread_mutex_lock(&outer));
	note('h');
	assert_ok(pthread_mutex_unlock(&outer));
	assert_ok(pthread_mutex_unlock(&inner));
}

static void opposite_nesting_is_no_deadlock(void **state)
{
	struct member high;

	UNUSED(state);
	make_mutex(&outer, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&inner, 40, PTHREAD_MUTEX_NORMAL);
	start(&high, 30, lock_the_other_way_round, NULL);
	assert_ok(pthread_mutex_lock(&outer));
	assert_ok(sem_post(&sem));
	assert_ok(pthread_mutex_lock(&inner));
	note('l');
	assert_ok(pthread_mutex_unlock(&inner));
	assert_ok(pthread_mutex_unlock(&outer));
	join(&high);
	assert_string_equal(notes(), "lh");
}

/* By no function that a library could interpose. */
static void sleep_unseen(long ns)
{
	const struct timespec time = { .tv_nsec = ns };
	const long argument[6] = { (long)&time };

	plf_enter_kernel(SYS_nanosleep, argument);
}

static void wake_unseen_and_lock(void *unused)
{
	UNUSED(unused);
	sleep_unseen(2000000);
	assert_ok(pthread_mutex_lock(&inner));
	note('m');
	assert_ok(pthread_mutex_unlock(&inner));
}

/* The thread may preempt the section, but its own section begins only after the end. */
static void a_lock_waits_for_the_section_that_covers(void **state)
{
	struct member member;

	UNUSED(state);
	make_mutex(&outer, 30, PTHREAD_MUTEX_NORMAL);
	make_mutex(&inner, 25, PTHREAD_MUTEX_NORMAL);
	start(&member, 20, wake_unseen_and_lock, NULL);
	assert_ok(pthread_mutex_lock(&outer));
	stay_busy_us(6000);
	note('1');
	assert_ok(pthread_mutex_unlock(&outer));
	join(&member);
	assert_string_equal(notes(), "1m");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		nest_test(the_section_that_covers_is_waited_for),
		nest_test(a_section_opened_meanwhile_counts),
		nest_test(more_than_twenty_asked),
		nest_test(more_than_twenty_felt),
		nest_test(opposite_nesting_is_no_deadlock),
		nest_test(a_lock_waits_for_the_section_that_covers),
	};

	return cmocka_run_group_tests_name("nesting", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
