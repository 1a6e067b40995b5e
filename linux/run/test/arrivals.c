/* SPDX-License-Identifier: MIT */
/* An arrival that finds its task unfinished is served right afterwards, or skipped. */
#include "../../machine/clock.h"
#include "json.h"
#include "program.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The work takes 30 ms, and arrivals come each 10 ms. So the first activation ends after two more
 * arrivals.
 */
static void run_overloaded(struct program *program, const char *overrun)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "limit 60000000000\n"
		 "task T 20 0 %s\n"
		 "run 30000000\n"
		 "arrivals 0 10000000 20000000 500000000\n"
		 "end\n",
		 overrun);
	write_plan_for("none", text);
	run_program(program, NULL);
	assert_string_equal(program->output, "");
	assert_int_equal(program->status, 0);
	assert_true(json_is_valid(program->trace));
	assert_true(times_ascend(program->trace));
	assert_true(contains(program->trace, "\"arrivals_ns\":[0,10000000,20000000,500000000]"));
}

static void queue_serves_all(void **state)
{
	struct program program;

	(void)state;
	run_overloaded(&program, "queue");
	assert_int_equal(count_events(program.trace, "T", "start"), 4);
	assert_int_equal(count_events(program.trace, "T", "end"), 4);
	assert_int_equal(count_events(program.trace, "T", "skip"), 0);
	assert_true(event_time(program.trace, "T", "start", 1) >=
		    event_time(program.trace, "T", "end", 0));
	assert_true(event_time(program.trace, "T", "start", 3) >= 500000000);
	free_program(&program);
}

static void skip_skips_and_notes(void **state)
{
	struct program program;

	(void)state;
	run_overloaded(&program, "skip");
	assert_int_equal(count_events(program.trace, "T", "start"), 2);
	assert_int_equal(count_events(program.trace, "T", "skip"), 2);
	assert_true(event_time(program.trace, "T", "skip", 1) >= 0);
	assert_true(event_time(program.trace, "T", "skip", 2) >= 0);
	assert_true(event_time(program.trace, "T", "start", 3) >= 500000000);
	free_program(&program);
}

static void both_cpus_are_used(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", "limit 60000000000\n"
				  "task A 20 0 queue\nrun 1000000\narrivals 0\n"
				  "task B 20 1 queue\nrun 1000000\narrivals 0\n"
				  "end\n");
	run_program(&program, NULL);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	assert_true(contains(program.trace, "{\"cpu\":0,"));
	assert_true(contains(program.trace, "{\"cpu\":1,"));
	free_program(&program);
}

/*
 * The trace names the clock and the threads, so it can be compared with other records of the
 * machine.
 */
static void clock_and_threads_are_said(void **state)
{
	const char *field = "\"zero_ns\":";
	struct program program;
	long long thread, other;
	int64_t before_ns = now_ns();
	int64_t zero_ns;

	(void)state;
	write_plan_for("none", "limit 60000000000\n"
			       "task A 20 0 queue\nrun 1000000\narrivals 0\n"
			       "task B 10 0 queue\nrun 1000000\narrivals 0\n"
			       "end\n");
	run_program(&program, NULL);
	assert_true(contains(program.trace, field));
	zero_ns = atoll(strstr(program.trace, field) + strlen(field));
	assert_true(zero_ns > before_ns);
	assert_true(zero_ns + event_time(program.trace, "B", "end", 0) < now_ns());
	thread = task_number(program.trace, "A", "thread");
	other = task_number(program.trace, "B", "thread");
	assert_true(thread > program.pid);
	assert_true(other > program.pid);
	assert_true(thread != other);
	free_program(&program);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(queue_serves_all),
		cmocka_unit_test(skip_skips_and_notes),
		cmocka_unit_test(both_cpus_are_used),
		cmocka_unit_test(clock_and_threads_are_said),
	};

	return cmocka_run_group_tests_name("arrivals", all, enter_directory, leave_directory);
}
