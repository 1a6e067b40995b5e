/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The room on its stack that a thread has, if the program chose the stack's size or memory. */
#include "team.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* The C library's part: the thread's descriptor, its thread-local words, and the first frames. */
enum { OF_LIBC = 5000, OF_DROP_IN = 4096 };

static void *measure(void *own)
{
	pthread_attr_t attr;
	void *lowest;
	size_t size;
	char here;

	assert_ok(pthread_getattr_np(pthread_self(), &attr));
	assert_ok(pthread_attr_getstack(&attr, &lowest, &size));
	assert_ok(pthread_attr_destroy(&attr));
	*(size_t *)own = (size_t)(&here - (char *)lowest);
	return NULL;
}

static size_t own_of(const pthread_attr_t *attr)
{
	pthread_t thread;
	size_t own;

	assert_ok(pthread_create(&thread, attr, measure, &own));
	assert_ok(pthread_join(thread, NULL));
	return own;
}

static void a_size_is_what_the_thread_has(void **state)
{
	static const size_t more[] = { 0, 4096, 1 << 20 };
	pthread_attr_t attr;
	size_t size;

	UNUSED(state);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		size_t least = (size_t)PTHREAD_STACK_MIN + more[i] - OF_LIBC;

		assert_ok(pthread_attr_init(&attr));
		assert_ok(pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN + more[i]));
		assert_in_range(own_of(&attr), least, least + OF_LIBC + OF_DROP_IN);
		assert_ok(pthread_attr_getstacksize(&attr, &size)); /* as the program set it */
		assert_int_equal(size, (size_t)PTHREAD_STACK_MIN + more[i]);
		assert_ok(pthread_attr_destroy(&attr));
	}
}

static void *ask_for_priority(void *priority)
{
	struct sched_param param;
	int policy;

	assert_ok(pthread_getschedparam(pthread_self(), &policy, &param));
	assert_int_equal(policy, SCHED_FIFO);
	*(int *)priority = param.sched_priority;
	return NULL;
}

static void other_attributes_stay(void **state)
{
	const struct sched_param param = { .sched_priority = LOW + 5 };
	pthread_attr_t attr;
	pthread_t thread;
	int priority = 0;

	UNUSED(state);
	assert_ok(pthread_attr_init(&attr));
	assert_ok(pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN));
	assert_ok(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	assert_ok(pthread_attr_setschedpolicy(&attr, SCHED_FIFO));
	assert_ok(pthread_attr_setschedparam(&attr, &param));
	assert_ok(pthread_create(&thread, &attr, ask_for_priority, &priority));
	assert_ok(pthread_join(thread, NULL));
	assert_int_equal(priority, LOW + 5);
	assert_ok(pthread_attr_destroy(&attr));
}

static void memory_of_the_program_stays_within(void **state)
{
	size_t size = (size_t)PTHREAD_STACK_MIN * 2, own;
	pthread_attr_t attr;
	void *memory;

	UNUSED(state);
	assert_ok(posix_memalign(&memory, 4096, size));
	assert_ok(pthread_attr_init(&attr));
	assert_ok(pthread_attr_setstack(&attr, memory, size));
	own = own_of(&attr);
	assert_in_range(own, size - OF_LIBC - OF_DROP_IN, size);
	assert_ok(pthread_attr_destroy(&attr));
	free(memory);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_size_is_what_the_thread_has),
		team_test(other_attributes_stay),
		team_test(memory_of_the_program_stays_within),
	};

	return cmocka_run_group_tests_name("small_stack", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
