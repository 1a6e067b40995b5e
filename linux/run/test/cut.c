/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* However a run is cut, the trace is valid and names the reason, and no process is left. */
#include "../../machine/clock.h"
#include "../../real_time/bounded.h"
#include "../../real_time/test/patience.h"
#include "../../real_time/test/refuse_call.h"
#include "json.h"
#include "program.h"
#include "trace.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char TWO_TASKS[] = "limit 30000000000\n"
				"task T 20 0 queue\n" LONG_RUN "arrivals 0 20000000000\n"
				"task U 10 0 queue\n" LONG_RUN "arrivals 0 20000000000\n"
				"end\n";

static void expect_cut(struct program *program, int status, const char *cut)
{
	char field[128], line[128];

	snprintf(field, sizeof(field), "\"cut\":\"%s", cut);
	snprintf(line, sizeof(line), "plafond-run: cut: %s", cut);
	assert_int_equal(program->status, status);
	assert_true(json_is_valid(program->trace));
	assert_true(contains(program->trace, field));
	assert_true(contains(program->output, line));
	assert_ptr_equal(strchr(program->output, '\n'),
			 program->output + strlen(program->output) - 1);
}

static void refuse_to_wait(void)
{
	if (!refuse_call(SYS_rt_sigtimedwait, 0, 0, EINVAL))
		_exit(126);
}

/* The supervisor, at the highest priority, must not go on without a sleep. */
static void a_wait_that_is_refused_ends_the_run(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", TWO_TASKS);
	unlink("trace.json");
	run_program(&program, refuse_to_wait);
	expect_cut(&program, 1, "its supervisor could not wait for signals: Invalid argument");
	free_program(&program);
}

/*
 * Each task holds the lock that the other task requests next. False: the machine stopped Low. So
 * High came before Low held a lock, or the limit came before Low requested its second lock.
 */
static bool deadlock(void)
{
	struct program program;
	bool is_reached;

	unlink("trace.json");
	run_program(&program, NULL);
	is_reached = program.status != 0 && count_events(program.trace, "Low", "request") == 2;
	if (is_reached) {
		expect_cut(&program, 1, "watchdog: not finished 500000000 ns after time 0");
		assert_int_equal(count_events(program.trace, "High", "request"), 2);
		assert_int_equal(count_events(program.trace, "High", "grant"), 1);
		assert_int_equal(count_events(program.trace, "Low", "grant"), 1);
		assert_int_equal(task_number(program.trace, "Low", "minor_faults"), NOT_THERE);
	}
	free_program(&program);
	return is_reached;
}

static void watchdog_ends_a_deadlock(void **state)
{
	(void)state;
	write_plan_for("none", "limit 500000000\n"
			       "resource A 20\nresource B 20\n"
			       "task High 20 0 queue\n"
			       "lock B\nlock A\nunlock A\nunlock B\narrivals 100000000\n"
			       "task Low 10 0 queue\n"
			       "lock A\nrun 200000000\nlock B\nunlock B\nunlock A\narrivals 0\n"
			       "end\n");
	plf_await(deadlock());
}

static void watchdog_ends_a_spin(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", "limit 200000000\n"
				  "task T 98 0 queue\nrun 900000000000\narrivals 0\nend\n");
	run_program(&program, NULL);
	expect_cut(&program, 1, "watchdog: ");
	assert_int_equal(count_events(program.trace, "T", "start"), 1);
	assert_int_equal(count_events(program.trace, "T", "end"), 0);
	free_program(&program);
}

static void interrupt(int signal, const char *name)
{
	struct program program;

	write_plan_for("plafond", TWO_TASKS);
	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	await_activations(&program, 2);
	assert_int_equal(kill(-program.pid, signal), 0); /* the whole group, as a terminal does */
	await_program(&program);
	expect_cut(&program, 128 + signal, name);
	assert_int_equal(count_events(program.trace, "T", "end"), 1);
	assert_int_equal(count_events(program.trace, "U", "end"), 1);
	free_program(&program);
}

static void interruption_is_reported(void **state)
{
	(void)state;
	interrupt(SIGINT, "SIGINT");
	interrupt(SIGTERM, "SIGTERM");
	interrupt(SIGHUP, "SIGHUP");
	interrupt(SIGQUIT, "SIGQUIT");
}

/*
 * Was the interruption at least a millisecond before time 0? It may come later, if other programs
 * kept the test from running. Then it does not test the set-up.
 */
static bool interrupt_set_up(int threads)
{
	struct program program;
	int64_t killed_ns;
	long long zero_ns;
	bool is_early;

	write_plan_for("plafond", TWO_TASKS);
	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	await_threads(&program, threads);
	kill(program.pid, SIGINT);
	killed_ns = now_ns();
	await_program(&program);
	expect_cut(&program, 128 + SIGINT, "SIGINT");
	zero_ns = zero_time(program.trace);
	is_early = zero_ns == NOT_THERE || killed_ns + NS_PER_MS < zero_ns;
	if (is_early) {
		assert_int_equal(count_events(program.trace, "T", "start"), 0);
		/* no "turn_ns" before it is known */
		assert_false(contains(program.trace, "\"turn_ns\":0,"));
	}
	free_program(&program);
	return is_early;
}

static void interruption_of_the_set_up_is_reported(void **state)
{
	(void)state;
	for (int threads = 0; threads <= 2; threads++)
		plf_await(interrupt_set_up(threads));
}

static void first_thread_preempts_no_task(void **state)
{
	struct program program;
	cpu_set_t of_child, of_test;
	pid_t child;

	(void)state;
	write_plan_for("plafond-strict", TWO_TASKS);
	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	child = await_activations(&program, 2);
	assert_true(child != 0);
	assert_int_equal(sched_getscheduler(child), SCHED_OTHER);
	assert_int_equal(sched_getaffinity(child, sizeof(of_child), &of_child), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(of_test), &of_test), 0);
	assert_true(CPU_EQUAL(&of_child, &of_test));
	assert_int_equal(kill(program.pid, SIGINT), 0);
	await_program(&program);
	expect_cut(&program, 128 + SIGINT, "SIGINT");
	free_program(&program);
}

static void ignore_hangup(void)
{
	signal(SIGHUP, SIG_IGN);
}

static void ignored_interruption_stays_ignored(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("inherit", "limit 2000000000\n"
				  "task T 20 0 queue\nrun 100000\narrivals 0 600000000\nend\n");
	unlink("trace.json");
	start_program(&program, ignore_hangup, "plan.txt", "trace.json", NULL);
	await_threads(&program, 1);
	kill(-program.pid, SIGHUP);
	kill(-program.pid, SIGTSTP);
	kill(program.pid, SIGSTOP); /* interrupts its wait for signals, which goes on */
	kill(program.pid, SIGCONT);
	await_program(&program);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	free_program(&program);
}

static void kill_child(const char *protocol, const char *plan)
{
	struct program program;
	pid_t child;

	write_plan_for(protocol, plan);
	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	child = await_activations(&program, 2);
	assert_true(child != 0);
	assert_int_equal(kill(child, SIGKILL), 0);
	await_program(&program);
	expect_cut(&program, 1, "killed by SIGKILL");
	assert_int_equal(count_events(program.trace, "T", "end"), 1);
	free_program(&program);
}

static void killed_child_is_reported(void **state)
{
	(void)state;
	kill_child("protect", TWO_TASKS);
}

/* The manager is a thread of that process, and so is the idler of its CPU. */
static void killed_manager_of_servers_is_reported(void **state)
{
	(void)state;
	kill_child("plafond", "limit 30000000000\nserver S 5 0 20000000 8000000\n"
			      "task T 2 0 queue S\n" LONG_RUN "arrivals 0 20000000000\n"
			      "task U 1 0 queue S\n" LONG_RUN "arrivals 0 20000000000\n"
			      "end\n");
}

/* False: the run was over before, because this test had no processor meanwhile. */
static bool stop_child(void)
{
	struct program program;
	pid_t child;

	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	/* after the set-up, because its watchdog waits longer */
	child = await_activations(&program, 1);
	if (child != 0)
		kill(child, SIGSTOP);
	await_program(&program);
	if (program.status == 0) {
		free_program(&program);
		return false;
	}
	expect_cut(&program, 1, "watchdog: not finished 600000000 ns after time 0");
	free_program(&program);
	return true;
}

static void stopped_child_is_cut(void **state)
{
	(void)state;
	write_plan_for("none", "limit 600000000\n"
			       "task T 20 0 queue\n" LONG_RUN "arrivals 0 500000000\nend\n");
	plf_await(stop_child());
}

static pid_t hog;

enum { HOG_US = 60000000 };

/* A process that spins on the tasks' CPU, above every task. Only its limit of real time ends it. */
static void start_hog(void)
{
	struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };
	cpu_set_t first;

	hog = fork();
	assert_true(hog >= 0);
	if (hog != 0)
		return;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (plf_bound_real_time(HOG_US) != 0 || sched_setaffinity(0, sizeof(first), &first) != 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		_exit(1);
	for (;;)
		__asm__ volatile("");
}

static void end_hog(void)
{
	assert_false(plf_has_ended(hog)); /* the program did not wait until the hog ended */
	assert_int_equal(kill(hog, SIGKILL), 0);
	assert_int_equal(plf_release(hog), SIGKILL);
}

/* False: the run was over before the hog came. */
static bool starve_run(void)
{
	struct program program;

	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	await_activations(&program, 1);
	start_hog();
	await_program_then(&program, end_hog);
	if (program.status == 0) {
		free_program(&program);
		return false;
	}
	expect_cut(
		&program, 1,
		"watchdog: not finished 1500000000 ns after time 0; another program keeps a CPU");
	assert_int_equal(count_events(program.trace, "T", "end"), 1);
	free_program(&program);
	return true;
}

static void starved_run_keeps_what_was_measured(void **state)
{
	(void)state;
	write_plan_for("none", "limit 1500000000\n"
			       "task T 20 0 queue\n" LONG_RUN "arrivals 0 1400000000\nend\n");
	plf_await(starve_run());
}

static void child_dies_with_its_supervisor(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", TWO_TASKS);
	unlink("trace.json");
	start_program(&program, NULL, "plan.txt", "trace.json", NULL);
	await_threads(&program, 2);
	assert_int_equal(kill(program.pid, SIGKILL), 0);
	await_program(&program);
	assert_int_equal(program.status, 128 + SIGKILL);
	assert_string_equal(program.trace, "");
	free_program(&program);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(watchdog_ends_a_deadlock),
		cmocka_unit_test(a_wait_that_is_refused_ends_the_run),
		cmocka_unit_test(watchdog_ends_a_spin),
		cmocka_unit_test(interruption_is_reported),
		cmocka_unit_test(interruption_of_the_set_up_is_reported),
		cmocka_unit_test(first_thread_preempts_no_task),
		cmocka_unit_test(ignored_interruption_stays_ignored),
		cmocka_unit_test(killed_child_is_reported),
		cmocka_unit_test(killed_manager_of_servers_is_reported),
		cmocka_unit_test(stopped_child_is_cut),
		cmocka_unit_test(starved_run_keeps_what_was_measured),
		cmocka_unit_test(child_dies_with_its_supervisor),
	};

	return cmocka_run_group_tests_name("cut", all, enter_directory, leave_directory);
}
