/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A long random sequence of locks, unlocks, changes of the base priority and sleeps by a thread,
 * against a model: the higher of the base and the highest ceiling held. Half of the sequences query
 * the priority after each step. The others query it sometimes, so that sections also stay lazy.
 */
#include "team.h"

#include <stdint.h>
#include <unistd.h>

enum { MUTEXES = 6, STEPS = 3000, HIGHEST_BASE = 25 };

static const int ceilings[MUTEXES] = { 25, 25, 30, 45, 60, 60 };
static pthread_mutex_t mutexes[MUTEXES];
static int held[MUTEXES]; /* number of locks */
static int base;
static uint32_t seed;

static unsigned draw(unsigned below)
{
	seed = seed * 1664525U + 1013904223U;
	return (seed >> 16) % below;
}

static int model(void)
{
	int priority = base;

	for (int i = 0; i < MUTEXES; i++)
		if (held[i] > 0 && ceilings[i] > priority)
			priority = ceilings[i];
	return priority;
}

static void lock_or_release(unsigned i)
{
	if (held[i] == 0 || (held[i] < 3 && draw(3) == 0)) {
		assert_ok(draw(2) ? pthread_mutex_lock(&mutexes[i])
				  : pthread_mutex_trylock(&mutexes[i]));
		held[i]++;
	} else {
		assert_ok(pthread_mutex_unlock(&mutexes[i]));
		held[i]--;
	}
}

static void change_base(void)
{
	base = 1 + (int)draw(HIGHEST_BASE);
	assert_ok(pthread_setschedprio(pthread_self(), base));
}

static void one_sequence(unsigned ask_each)
{
	base = LOW;
	assert_ok(pthread_setschedprio(pthread_self(), base));
	for (int step = 0; step < STEPS; step++) {
		unsigned choice = draw(100);

		if (choice < 90)
			lock_or_release(draw(MUTEXES));
		else if (choice < 95)
			change_base();
		else if (choice < 97)
			usleep(1);
		assert_int_equal(base_priority(), base);
		if (draw(ask_each) == 0) {
			assert_int_equal(effective_priority(), model());
			assert_int_equal(kernel_priority(gettid()), model());
		}
	}
	for (int i = 0; i < MUTEXES; i++)
		for (; held[i] > 0; held[i]--)
			assert_ok(pthread_mutex_unlock(&mutexes[i]));
	assert_int_equal(kernel_priority(gettid()), base);
}

static void agrees_with_the_model(void **state)
{
	UNUSED(state);
	for (int i = 0; i < MUTEXES; i++)
		make_mutex(&mutexes[i], ceilings[i], PTHREAD_MUTEX_RECURSIVE);
	for (seed = 1; seed <= 4; seed++) {
		uint32_t first = seed;

		one_sequence(first % 2 ? 1 : 20);
		seed = first;
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = { team_test(agrees_with_the_model) };

	return cmocka_run_group_tests_name("random sections", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
