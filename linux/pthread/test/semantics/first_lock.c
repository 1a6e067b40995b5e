/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A program locks its memory after it has made its mutexes. The first lock of a real-time thread
 * causes hardly any page faults then.
 */
#include "team.h"

#include <sys/mman.h>
#include <sys/resource.h>

enum { STACK = 65536, FAULTS_MAX = 100 };

static pthread_mutex_t mutex;

static long faults(void)
{
	struct rusage used;

	assert_ok(getrusage(RUSAGE_THREAD, &used));
	return used.ru_minflt + used.ru_majflt;
}

static void *lock_first(void *unused)
{
	struct sched_param param = { .sched_priority = 20 };
	char stack[STACK];
	long before;

	pin(0, 0);
	memset(stack, 1, sizeof(stack));
	__asm__ volatile("" : : "r"(stack) : "memory");
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param));
	before = faults();
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_in_range(faults() - before, 0, FAULTS_MAX);
	return unused;
}

/* The thread is neither pinned nor real-time before, so it settles at its first lock. */
static void in_a_process_of_its_own(void *unused)
{
	const struct sched_param ordinary = { .sched_priority = 0 };
	pthread_t thread;

	UNUSED(unused);
	pin(0, ANY_CPU);
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(mlockall(MCL_CURRENT | MCL_FUTURE));
	assert_ok(pthread_create(&thread, NULL, lock_first, NULL));
	assert_ok(pthread_join(thread, NULL));
}

static void under_locked_memory(void **state)
{
	UNUSED(state);
	assert_int_equal(in_child(in_a_process_of_its_own, NULL), 0);
}

static int tests(void)
{
	const struct CMUnitTest all[] = { team_test(under_locked_memory) };

	return cmocka_run_group_tests_name("first lock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
