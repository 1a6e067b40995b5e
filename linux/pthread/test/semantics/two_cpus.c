/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Mutual exclusion between threads of two CPUs, pinned and not, of several priorities, with every
 * kind of lock.
 */
#include "crowd.h"

#include <unistd.h>

enum { MOST = 5, ROUNDS = 1500 };

struct place {
	int cpu, priority;
};

static void contend(const struct place *place, int count, int type)
{
	struct crowd crowd;
	struct visitor visitor[MOST];
	struct member member[MOST];

	open_crowd(&crowd, type);
	for (int i = 0; i < count; i++) {
		visitor[i] =
			(struct visitor) { .crowd = &crowd, .seed = (uint32_t)i, .rounds = ROUNDS };
		start_on(&member[i], place[i].cpu, place[i].priority, visit, &visitor[i]);
	}
	for (int i = 0; i < count; i++)
		join(&member[i]);
	close_crowd(&crowd);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void one_on_each(void **state)
{
	static const struct place place[] = { { 0, 20 }, { 1, 20 } };

	UNUSED(state);
	for (int type = PTHREAD_MUTEX_NORMAL; type <= PTHREAD_MUTEX_ERRORCHECK; type++)
		contend(place, 2, type);
}

static void several_on_one(void **state)
{
	static const struct place place[] = { { 0, 20 }, { 0, 25 }, { 0, 40 } };

	UNUSED(state);
	contend(place, 3, PTHREAD_MUTEX_NORMAL);
}

static void several_on_each(void **state)
{
	static const struct place place[] = {
		{ 0, 20 }, { 1, 25 }, { 0, 30 }, { 1, 40 }, { 1, 15 }
	};

	UNUSED(state);
	contend(place, 5, PTHREAD_MUTEX_NORMAL);
}

static void unpinned_ones(void **state)
{
	static const struct place place[] = { { ANY_CPU, 20 }, { ANY_CPU, 25 }, { ANY_CPU, 40 } };

	UNUSED(state);
	contend(place, 3, PTHREAD_MUTEX_NORMAL);
}

static void pinned_and_unpinned(void **state)
{
	static const struct place place[] = {
		{ 0, 20 }, { ANY_CPU, 20 }, { 1, 30 }, { 0, 30 }, { ANY_CPU, 35 }
	};

	UNUSED(state);
	contend(place, 5, PTHREAD_MUTEX_NORMAL);
	contend(place, 2, PTHREAD_MUTEX_RECURSIVE);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(one_on_each),		team_test(several_on_one),
		team_test(several_on_each),	team_test(unpinned_ones),
		team_test(pinned_and_unpinned),
	};

	return cmocka_run_group_tests_name("two CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
