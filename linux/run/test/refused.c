/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * If the machine cannot meet a demand, a message names it before anything runs, and no trace is
 * left.
 */
#include "json.h"
#include "program.h"
#include "trace.h"

#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SMALL_RUN[] = "limit 60000000000\n"
				"task T 20 0 queue\nrun 100000\narrivals 0\nend\n";

static void set_limit(__rlimit_resource_t resource, rlim_t value)
{
	struct rlimit limit = { value, value };

	setrlimit(resource, &limit);
}

static void forbid_priorities(void)
{
	prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0);
	set_limit(RLIMIT_RTPRIO, 0);
}

static void expect_denial(const char *plan)
{
	write_plan_for("plafond", plan);
	expect_plan_refusal(forbid_priorities,
			    "plafond-run: SCHED_FIFO at priority 99 is denied: grant "
			    "CAP_SYS_NICE or RLIMIT_RTPRIO 99 (ulimit -r)");
}

static void without_priorities(void **state)
{
	(void)state;
	expect_denial(SMALL_RUN);
}

/* In a task, the CPU follows the priority. */
static bool names_cpu_1(const char *plan)
{
	return strstr(plan, " 1 queue") != NULL;
}

#define LIMIT	"limit 1000000000\n"
#define RESERVE "queue\nreservation 100000 "
#define RUNS	"run 1\narrivals 0\n"

/*
 * The largest plans that are right. Sections that are not global nest. Servers and reservations use
 * their whole CPU, and servers of another CPU do not count. The spare time is as long as the limit.
 */
static const char *const largest[] = {
	LIMIT "resource R1 49\nresource R2 49\nresource R3 49\n"
	      "task T 49 0 queue\nlock R1\nunlock R1\nlock R2\nlock R3\nunlock R3\nunlock R2\n" RUNS
	      "task U 20 1 queue\nlock R1\nunlock R1\n" RUNS "end\n",
	LIMIT "server S 5 0 100000 50000\nserver U 8 0 100000 50000\n"
	      "server W 7 1 100000 100000\ntask T 2 0 queue S\n" RUNS "task V 41 0 queue U\n" RUNS
	      "task X 42 1 queue W\n" RUNS "end\n",
	LIMIT "task T 2 0 " RESERVE "50000\n" RUNS "task U 2 0 " RESERVE "45000\n" RUNS
	      "task V 2 1 " RESERVE "95000\n" RUNS "end\n",
	LIMIT "task T 2 0 queue\n" RUNS "spare 1 0 1000000000\nend\n",
};

/* Nothing is wrong with these plans, except that CPU 1 may be missing. */
static void the_largest_plans_are_right(void **state)
{
	cpu_set_t allowed;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	for (size_t i = 0; i < sizeof(largest) / sizeof(largest[0]); i++) {
		if (CPU_ISSET(1, &allowed) || !names_cpu_1(largest[i])) {
			expect_denial(largest[i]);
			continue;
		}
		write_plan_for("plafond", largest[i]);
		expect_plan_refusal(NULL, "CPU 1 does not exist or is not allowed here");
	}
}

static void forbid_locked_memory(void)
{
	prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0);
	set_limit(RLIMIT_MEMLOCK, 65536);
}

static void without_locked_memory(void **state)
{
	(void)state;
	write_plan_for("plafond", SMALL_RUN);
	expect_plan_refusal(forbid_locked_memory, "plafond-run: memory cannot be locked (");
}

/* If the module is loaded, the plan runs. */
static void expect_need(const char *protocol, const char *device, const char *complaint)
{
	struct program program;

	write_plan_for(protocol, SMALL_RUN);
	if (access(device, F_OK) != 0) {
		expect_plan_refusal(NULL, complaint);
		return;
	}
	run_program(&program, NULL);
	assert_int_equal(program.status, 0);
	free_program(&program);
}

static void without_a_module(void **state)
{
	(void)state;
	expect_need("immpc", "/dev/immpc",
		    "plafond-run: protocol immpc needs /dev/immpc (No such file or "
		    "directory): load the kernel modules plafond.ko and "
		    "immpc_driver.ko, or run in the virtual machine that has them: "
		    "plafond run --on vm\n");
	expect_need("rt-mutex", "/dev/immpc", "plafond-run: protocol rt-mutex needs /dev/immpc (");
	expect_need("plafond-module", "/dev/plafond",
		    "plafond-run: protocol plafond-module needs /dev/plafond (");
}

static void reserve_less_than_the_least(void **state)
{
	(void)state;
	write_plan_for("none", "limit 60000000000\ntask T 20 0 queue\nreservation 1000000 1023\n"
			       "run 100000\narrivals 0\nend\n");
	expect_plan_refusal(NULL,
			    "plafond-run: task T: found a budget of 1023 ns; expected 1024 ns "
			    "to the period, 1000000 ns\n");
}

/* With a single CPU, or if the kernel admits everything, the plan runs. */
static bool admits_pinned_threads(void)
{
	FILE *file = fopen("/proc/sys/kernel/sched_rt_runtime_us", "re");
	int runtime_us = 0;

	if (file != NULL) {
		assert_int_equal(fscanf(file, "%d", &runtime_us), 1);
		fclose(file);
	}
	return runtime_us < 0 || sysconf(_SC_NPROCESSORS_ONLN) == 1;
}

static void reserve_below_the_root_domain(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("none",
		       "limit 60000000000\ntask T 20 0 queue\nreservation 10000000 1000000\n"
		       "run 100000\narrivals 0\nend\n");
	if (!admits_pinned_threads()) {
		expect_plan_refusal(NULL, "plafond-run: task T: its thread is pinned to CPU 0, and "
					  "the kernel gives a reservation only to a thread that "
					  "may use all CPUs");
		return;
	}
	run_program(&program, NULL);
	assert_int_equal(program.status, 0);
	free_program(&program);
}

/* For the program alone, replace the directory by a small disk. */
static void mount_small_disk(void)
{
	char directory[4096];

	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    getcwd(directory, sizeof(directory)) == NULL || mkdir("disk", 0700) != 0 ||
	    mount("tmpfs", "disk", "tmpfs", 0, "size=64k") != 0)
		_exit(99);
}

static void write_larger_plan(void)
{
	write_plan_for("none", "limit 60000000000\ntask T 20 0 queue\nrun 100000\n"
			       "arrivals 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21\n"
			       "arrivals 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40\n"
			       "arrivals 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59\n"
			       "end\n");
}

static void without_disk(void **state)
{
	struct program program;

	(void)state;
	write_larger_plan();
	start_program(&program, mount_small_disk, "plan.txt", "disk/trace.json", NULL);
	await_program(&program);
	rmdir("disk");
	assert_int_equal(program.status, 2);
	assert_true(contains(program.output, "plafond-run: not enough disk for the trace: needs "));
	assert_true(contains(program.output, " KiB in disk\n"));
	free_program(&program);
}

static void limit_files(void)
{
	set_limit(RLIMIT_FSIZE, 65536);
}

static void without_large_files(void **state)
{
	(void)state;
	write_larger_plan();
	expect_plan_refusal(limit_files,
			    " is not allowed here: raise RLIMIT_FSIZE (ulimit -f) for the");
}

static void without_a_regular_file(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("none", SMALL_RUN);
	start_program(&program, NULL, "plan.txt", "/dev/null", NULL);
	await_program(&program);
	assert_int_equal(program.status, 2);
	assert_true(contains(program.output, "name a regular file"));
	free_program(&program);
	start_program(&program, NULL, "plan.txt", "nowhere/trace.json", NULL);
	await_program(&program);
	assert_int_equal(program.status, 2);
	assert_true(contains(program.output, "cannot write nowhere/trace.json: No such file"));
	free_program(&program);
}

/* 15,000 events in each of a million activations: more memory than machines have. */
static void without_memory(void **state)
{
	FILE *file = fopen("plan.txt", "we");

	(void)state;
	assert_non_null(file);
	fputs("plafond-plan 1\nprotocol none\nlimit 60000000000\nresource R 9\ntask T 5 0 skip\n",
	      file);
	for (int i = 0; i < 5000; i++)
		fputs("lock R\nunlock R\n", file);
	fputs("arrivals", file);
	for (int i = 0; i < 1000000; i++)
		fprintf(file, " %d", i);
	fputs("\nend\n", file);
	assert_int_equal(fclose(file), 0);
	expect_plan_refusal(NULL, "plafond-run: not enough memory for the trace: needs 225 GiB, ");
}

static void forbid_counting(void)
{
	prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0);
	prctl(PR_CAPBSET_DROP, CAP_PERFMON, 0, 0, 0);
}

/* Counting is not necessary: without it the run goes on. */
static void without_counting(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", SMALL_RUN);
	run_program(&program, forbid_counting);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	assert_true(json_is_valid(program.trace));
	if (!contains(program.trace, "\"lock_calls_not_counted\":null")) {
		assert_true(contains(program.trace, "\"lock_calls_not_counted\":\"not counted: "));
		assert_int_equal(task_number(program.trace, "T", "lock_calls"), NOT_THERE);
	}
	free_program(&program);
}

static void allow_few_files(void)
{
	struct rlimit limit = { 10, 4096 };

	setrlimit(RLIMIT_NOFILE, &limit);
}

static void forbid_files(void)
{
	set_limit(RLIMIT_NOFILE, 10);
}

static void run_twelve_tasks(struct program *program, void (*prepare)(void))
{
	char plan[1024] = "limit 60000000000\n";

	for (int i = 0; i < 12; i++)
		snprintf(plan + strlen(plan), sizeof(plan) - strlen(plan),
			 "task T%d 20 0 queue\nrun 1000\narrivals 0\n", i);
	strcat(plan, "end\n");
	write_plan_for("none", plan);
	run_program(program, prepare);
	assert_string_equal(program->output, "");
	assert_int_equal(program->status, 0);
	assert_true(json_is_valid(program->trace));
}

/*
 * Each task's count needs a file. The soft limit does not matter. Beyond the hard limit, nothing is
 * invented.
 */
static void without_files(void **state)
{
	struct program program;

	(void)state;
	run_twelve_tasks(&program, allow_few_files);
	assert_false(contains(program.trace, "Too many open files"));
	assert_false(contains(program.trace, "\"steal_ns\":null"));
	free_program(&program);
	run_twelve_tasks(&program, forbid_files);
	if (contains(program.trace, "Too many open files"))
		assert_true(contains(program.trace, "\"steal_ns\":null"));
	free_program(&program);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(without_priorities),
		cmocka_unit_test(the_largest_plans_are_right),
		cmocka_unit_test(without_locked_memory),
		cmocka_unit_test(without_disk),
		cmocka_unit_test(without_large_files),
		cmocka_unit_test(without_a_regular_file),
		cmocka_unit_test(without_memory),
		cmocka_unit_test(without_counting),
		cmocka_unit_test(without_files),
		cmocka_unit_test(without_a_module),
		cmocka_unit_test(reserve_less_than_the_least),
		cmocka_unit_test(reserve_below_the_root_domain),
	};

	return cmocka_run_group_tests_name("refused", all, enter_directory, leave_directory);
}
