/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Kill each process of a wrapper after each of its steps: the machine must be as before. usage:
 * interrupts_test_each_step reserve|record
 */
#include "../tracefs.h"
#include "program.h"
#include "steps.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* More steps than either wrapper makes. */
enum { MOST_STEPS = 1000, FAILED = 1, REFUSED = 2 };

static struct sleeper ordinary, urgent;
static int tracefs;

static int start(void **state)
{
	(void)state;
	start_sleeper(&ordinary, SCHED_OTHER, 0, 5);
	start_sleeper(&urgent, SCHED_FIFO, 7, 0);
	tracefs = open_tracefs();
	return tracefs < 0;
}

static int end(void **state)
{
	(void)state;
	end_sleeper(&ordinary);
	end_sleeper(&urgent);
	close(tracefs);
	return 0;
}

static bool has_instance(pid_t wrapper)
{
	char path[64];

	snprintf(path, sizeof(path), "instances/plafond-%d", wrapper);
	return faccessat(tracefs, path, F_OK, 0) == 0;
}

static void expect_clean_machine(const struct steps *steps, int n)
{
	if (!is_as_before(&ordinary) || !is_as_before(&urgent))
		fail_msg("step %d leaves a thread changed", n);
	if (has_instance(steps->pids[WRAPPER]))
		fail_msg("step %d leaves the instance", n);
}

static int status_of(const struct steps *steps)
{
	return WIFSIGNALED(steps->status) ? 128 + WTERMSIG(steps->status)
					  : WEXITSTATUS(steps->status);
}

/* Returns the number of steps. In the last run nothing is killed, and it must end well. */
static int kill_at_each_step(char *const argv[], enum role role, int expected)
{
	for (int n = 0; n < MOST_STEPS; n++) {
		struct blow blow = { .role = role, .step = n, .signal = SIGKILL };
		struct steps steps = run_with_blow(argv, blow);
		int status = status_of(&steps);

		expect_clean_machine(&steps, n);
		if (!steps.was_reached) {
			assert_int_equal(status, 0);
			return n;
		}
		if (status != expected)
			fail_msg("role %d, step %d: status %d", role, n, status);
	}
	fail_msg("expected fewer steps");
	return 0;
}

static void expect_steps(char *const argv[], int of_wrapper)
{
	int wrapper = kill_at_each_step(argv, WRAPPER, 128 + SIGKILL);
	int guard = kill_at_each_step(argv, GUARD, FAILED);
	int command = kill_at_each_step(argv, COMMAND, 128 + SIGKILL);

	print_message("%d steps of the wrapper, %d of the guard, %d of the command\n", wrapper,
		      guard, command);
	assert_true(wrapper >= of_wrapper);
	assert_true(guard >= 3);
	assert_true(command >= 2);
}

/*
 * The wrapper ends as the command does: by SIGTERM, which the wrapper passes on, or as the command
 * ended before.
 */
static void terminate_at_each_step(char *const argv[])
{
	struct blow blow = { .role = WRAPPER, .signal = SIGTERM, .may_sleep = true };
	struct steps steps;

	do {
		steps = run_with_blow(argv, blow);
		expect_clean_machine(&steps, blow.step);
		assert_int_equal(status_of(&steps),
				 128 + (steps.was_reached && !steps.was_over ? SIGTERM : SIGKILL));
		blow.step++;
	} while (steps.was_reached);
	assert_true(blow.step > 10);
}

static void no_step_leaves_a_reservation(void **state)
{
	char *argv[] = { PLAFOND_RESERVE, ordinary.text, "1000000", "10000000",	 urgent.text,
			 "1000000",	  "10000000",	 "--",	    "/bin/true", NULL };
	char *sleeping[] = { PLAFOND_RESERVE, ordinary.text, "1000000",	 "10000000",
			     urgent.text,     "1000000",     "10000000", "--",
			     "/bin/sleep",    "300",	     NULL };

	(void)state;
	expect_steps(argv, 10);
	terminate_at_each_step(sleeping);
}

static void no_step_leaves_an_instance(void **state)
{
	(void)state;
	expect_steps((char *[]) { PLAFOND_RECORD, "/dev/null", "--", "/bin/true", NULL }, 40);
}

/* If the wrapper ends before its command runs, the command, which sleeps for long, must not run. */
static void no_command_runs_without_its_wrapper(void **state)
{
	char *argv[] = { PLAFOND_RESERVE, urgent.text, "1000000", "10000000", "--",
			 "/bin/sleep",	  "300",       NULL };
	const int signals[] = { SIGKILL, SIGTERM };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct blow blow = { .role = WRAPPER, .signal = signals[i] };
		struct steps steps;

		do {
			steps = run_with_blow(argv, blow);
			assert_true(steps.was_reached);
			expect_clean_machine(&steps, blow.step);
			assert_int_equal(status_of(&steps), 128 + signals[i]);
			assert_true(steps.command != 0);
			blow.step++;
		} while (!steps.had_command);
	}
}

/* If a thread ends between any two steps, that is reported, and the other thread is restored. */
static void a_thread_may_end_at_each_step(void **state)
{
	for (int n = 0;; n++) {
		char *argv[] = { PLAFOND_RESERVE, urgent.text, "1000000",  "10000000",
				 ordinary.text,	  "1000000",   "10000000", "--",
				 "/bin/true",	  NULL };
		struct blow blow = {
			.role = WRAPPER, .step = n, .signal = SIGKILL, .victim = ordinary.tid
		};
		struct steps steps = run_with_blow(argv, blow);

		assert_true(is_as_before(&urgent));
		assert_true(WIFEXITED(steps.status));
		if (!steps.was_reached) {
			assert_int_equal(WEXITSTATUS(steps.status), 0);
			return;
		}
		assert_true(WEXITSTATUS(steps.status) == 0 || WEXITSTATUS(steps.status) == REFUSED);
		end(state);
		start(state);
	}
}

/* If a thread cannot be restored, the others are, and the exit status reports it. */
static void a_refused_restore_leaves_no_other(void **state)
{
	char *argv[] = { PLAFOND_RESERVE, ordinary.text, "1000000", "10000000",	 urgent.text,
			 "1000000",	  "10000000",	 "--",	    "/bin/true", NULL };
	struct blow blow = { .role = GUARD, .refuses = true };
	struct steps steps = run_with_blow(argv, blow);
	struct schedule schedule;

	(void)state;
	assert_true(steps.was_reached);
	assert_int_equal(status_of(&steps), FAILED);
	assert_int_equal(read_schedule(ordinary.tid, &schedule), 0);
	assert_int_equal(schedule.policy, POLICY_DEADLINE);
	assert_true(is_as_before(&urgent));
}

int main(int argc, char *argv[])
{
	const struct CMUnitTest of_reserve[] = {
		cmocka_unit_test_setup_teardown(no_step_leaves_a_reservation, start, end),
		cmocka_unit_test_setup_teardown(no_command_runs_without_its_wrapper, start, end),
		cmocka_unit_test_setup_teardown(a_thread_may_end_at_each_step, start, end),
		cmocka_unit_test_setup_teardown(a_refused_restore_leaves_no_other, start, end),
	};
	const struct CMUnitTest of_record[] = {
		cmocka_unit_test_setup_teardown(no_step_leaves_an_instance, start, end),
	};

	if (argc != 2)
		return REFUSED;
	if (strcmp(argv[1], "reserve") == 0)
		return cmocka_run_group_tests(of_reserve, NULL, NULL);
	return cmocka_run_group_tests(of_record, NULL, NULL);
}
