/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Three mutexes, locked in each order and released in each order. After each release that mutex is
 * free, the owner runs at the highest ceiling that it still holds, and a thread that is no longer
 * covered runs at once.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

enum { COUNT = 3, ORDERS = 6 };

static const int orders[ORDERS][COUNT] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					   { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
static const int ceilings[COUNT] = { 20, 30, 40 };
static pthread_mutex_t mutexes[COUNT];
static sem_t sem;

static int setup(void **state)
{
	assert_ok(sem_init(&sem, 0, 0));
	for (int i = 0; i < COUNT; i++)
		make_mutex(&mutexes[i], ceilings[i], PTHREAD_MUTEX_ERRORCHECK);
	return prepare_main(state);
}

#define order_test(f) cmocka_unit_test_setup(f, setup)

static int highest(unsigned held)
{
	int priority = LOW;

	for (int i = 0; i < COUNT; i++)
		if (held & 1U << i)
			priority = ceilings[i];
	return priority;
}

/* Run `step` after each lock and each release, in all orders. */
static void in_all_orders(void (*begin)(void), void (*step)(unsigned held), void (*end)(void))
{
	for (int locks = 0; locks < ORDERS; locks++) {
		for (int releases = 0; releases < ORDERS; releases++) {
			unsigned held = 0;

			for (int i = 0; i < COUNT; i++) {
				assert_ok(pthread_mutex_lock(&mutexes[orders[locks][i]]));
				held |= 1U << orders[locks][i];
			}
			begin();
			for (int i = 0; i < COUNT; i++) {
				assert_ok(pthread_mutex_unlock(&mutexes[orders[releases][i]]));
				held &= ~(1U << orders[releases][i]);
				step(held);
			}
			end();
			assert_int_equal(kernel_priority(gettid()), LOW);
		}
	}
}

static void nothing(void)
{
}

static void priority_is_what_is_left(unsigned held)
{
	assert_int_equal(effective_priority(), highest(held));
}

static void the_highest_ceiling_left_counts(void **state)
{
	UNUSED(state);
	in_all_orders(nothing, priority_is_what_is_left, nothing);
}

/* A thread of each ceiling's priority arrives while all mutexes are held. */
static struct member covered[COUNT];

static void say(void *letter)
{
	assert_ok(sem_wait(&sem));
	note(*(char *)letter);
}

static void all_arrive(void)
{
	forget_notes();
	for (int i = 0; i < COUNT; i++)
		start(&covered[i], ceilings[i], say, (char *)"abc" + i);
	for (int i = 0; i < COUNT; i++)
		assert_ok(sem_post(&sem));
	assert_string_equal(notes(), "");
}

static void uncovered_ones_have_run(unsigned held)
{
	char order[COUNT + 1] = "";

	for (int i = COUNT - 1; i >= 0 && ceilings[i] > highest(held); i--)
		order[COUNT - 1 - i] = (char)('a' + i);
	assert_string_equal(notes(), order);
}

static void all_leave(void)
{
	for (int i = 0; i < COUNT; i++)
		join(&covered[i]);
}

static void a_thread_no_longer_covered_runs_at_once(void **state)
{
	UNUSED(state);
	in_all_orders(all_arrive, uncovered_ones_have_run, all_leave);
}

/* While the owner sleeps, a thread of low priority tries each mutex: free, or held. */
static void try_all(void *argument)
{
	unsigned held = *(unsigned *)argument;

	for (int i = 0; i < COUNT; i++) {
		int result = pthread_mutex_trylock(&mutexes[i]);

		assert_int_equal(result, held & 1U << i ? EBUSY : 0);
		if (result == 0)
			assert_ok(pthread_mutex_unlock(&mutexes[i]));
	}
}

static void tried_by_another(unsigned held)
{
	run_as(LOW, try_all,
	       &held); /* the owner sleeps in the section, so no ceiling delays the thread */
	assert_int_equal(effective_priority(), highest(held));
}

static void free_at_once(void **state)
{
	UNUSED(state);
	in_all_orders(nothing, tried_by_another, nothing);
}

/* A released mutex is locked again before the others are released. */
static void relock_each(unsigned held)
{
	for (int i = 0; i < COUNT; i++) {
		if (held & 1U << i)
			continue;
		assert_ok(pthread_mutex_lock(&mutexes[i]));
		assert_int_equal(pthread_mutex_lock(&mutexes[i]), EDEADLK);
		assert_int_equal(effective_priority(), highest(held | 1U << i));
		assert_ok(pthread_mutex_unlock(&mutexes[i]));
		assert_int_equal(effective_priority(), highest(held));
	}
}

static void locked_again_in_between(void **state)
{
	UNUSED(state);
	in_all_orders(nothing, relock_each, nothing);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		order_test(the_highest_ceiling_left_counts),
		order_test(a_thread_no_longer_covered_runs_at_once),
		order_test(free_at_once),
		order_test(locked_again_in_between),
	};

	return cmocka_run_group_tests_name("release order", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
