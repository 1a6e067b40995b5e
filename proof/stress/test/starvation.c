/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Tests of starvation.c: a child that may not run, a child that runs, and a child that sleeps. */
#include "../starvation.h"

#include "../../../linux/real_time/bounded.h"

#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PERIOD_NS = 20000000, REAL_TIME_LIMIT_US = 1000000, RESTS = 100 };

static void spin(void)
{
	for (;;)
		__asm__ volatile("" ::: "memory");
}

/* shared with the child that sleeps */
static volatile int *begun;

static void sleep_for_ever(void)
{
	__atomic_store_n(begun, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
}

/* On the parent's CPU, at the priority of ordinary threads. */
static pid_t start(void (*body)(void))
{
	const struct sched_param param = { 0 };
	pid_t child = fork();

	assert_true(child >= 0);
	if (child > 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sched_setscheduler(0, SCHED_OTHER, &param);
	body();
	_exit(0);
}

static void end(pid_t child)
{
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_true(plf_release(child) >= 0);
}

static uint64_t executed_ns(clockid_t clock)
{
	struct timespec time;

	assert_int_equal(clock_gettime(clock, &time), 0);
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void keep_the_cpu(void)
{
	uint64_t until = executed_ns(CLOCK_THREAD_CPUTIME_ID) + PERIOD_NS;

	while (executed_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void rest(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };

	nanosleep(&time, NULL);
}

static void a_ready_child_without_a_cpu_is_starved(void **state)
{
	pid_t child = start(spin);
	uint64_t executed = 0;

	(void)state;
	is_starved(child, PERIOD_NS, &executed);
	keep_the_cpu();
	assert_true(is_starved(child, PERIOD_NS, &executed));
	end(child);
}

static void a_child_that_runs_is_not(void **state)
{
	pid_t child = start(spin);
	uint64_t executed = 0, before;
	clockid_t clock;

	(void)state;
	assert_int_equal(clock_getcpuclockid(child, &clock), 0);
	before = executed_ns(clock);
	is_starved(child, PERIOD_NS, &executed);
	while (executed_ns(clock) < before + 2 * PERIOD_NS)
		rest();
	assert_false(is_starved(child, PERIOD_NS, &executed));
	end(child);
}

/* An emulator adds threads to the child, which end their work some 50 ms after its start. */
static bool is_asleep(pid_t child)
{
	char path[300], letter = '?';
	struct dirent *entry;
	bool found = true;
	FILE *file;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", child);
	tasks = opendir(path);
	assert_non_null(tasks);
	while (found && (entry = readdir(tasks)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", child, entry->d_name);
		file = fopen(path, "r");
		found = file != NULL && fscanf(file, "%*d (%*[^)]) %c", &letter) == 1 &&
			letter == 'S';
		if (file != NULL)
			fclose(file);
	}
	closedir(tasks);
	return found;
}

static void a_child_that_sleeps_is_not(void **state)
{
	uint64_t executed = 0;
	int rests = 0;
	pid_t child;

	(void)state;
	begun = mmap(NULL, sizeof(*begun), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	assert_true(begun != MAP_FAILED);
	child = start(sleep_for_ever);
	while (rests < RESTS) {
		bool is_at_rest = __atomic_load_n(begun, __ATOMIC_ACQUIRE) && is_asleep(child);

		rests = is_at_rest ? rests + 1 : 0;
		rest();
	}
	is_starved(child, PERIOD_NS, &executed);
	keep_the_cpu();
	assert_false(is_starved(child, PERIOD_NS, &executed));
	end(child);
}

static int be_urgent_on_one_cpu(void **state)
{
	const struct sched_param param = { .sched_priority = 50 };
	cpu_set_t set;

	(void)state;
	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	return sched_setaffinity(0, sizeof(set), &set) | plf_bound_real_time(REAL_TIME_LIMIT_US) |
	       sched_setscheduler(0, SCHED_FIFO, &param);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_ready_child_without_a_cpu_is_starved,
				       be_urgent_on_one_cpu),
		cmocka_unit_test_setup(a_child_that_runs_is_not, be_urgent_on_one_cpu),
		cmocka_unit_test_setup(a_child_that_sleeps_is_not, be_urgent_on_one_cpu),
	};

	return cmocka_run_group_tests_name("starvation", tests, NULL, NULL);
}
