/* SPDX-License-Identifier: MIT */
/* Every protocol runs, and decides the order when a more urgent task arrives in a section. */
#include "../../real_time/test/patience.h"
#include "json.h"
#include "program.h"
#include "trace.h"

#include <string.h>

static const char *protocol;

/* The section is long, so that High arrives inside even if the machine stands still for a while. */
static const char preempted_section[] = "limit 60000000000\n"
					"resource R1 20\n"
					"task High 20 0 queue\n"
					"run 1000000\n"
					"lock R1\n"
					"run 1000000\n"
					"unlock R1\n"
					"arrivals 20000000\n"
					"task Low 10 0 queue\n"
					"lock R1\n"
					"run 40000000\n"
					"unlock R1\n"
					"run 1000000\n"
					"arrivals 0\n"
					"end\n";

static bool is_ceiling_protocol(void)
{
	return strcmp(protocol, "inherit") != 0 && strcmp(protocol, "none") != 0 &&
	       strcmp(protocol, "rt-mutex") != 0;
}

static bool high_arrived_inside(const char *trace)
{
	long long unlock = event_time(trace, "Low", "unlock", 0);

	return event_time(trace, "Low", "grant", 0) < 20000000 && unlock > 20000000 &&
	       (is_ceiling_protocol() || event_time(trace, "High", "request", 0) < unlock);
}

static void run_to_end(struct program *program)
{
	run_program(program, NULL);
	assert_string_equal(program->output, "");
	assert_int_equal(program->status, 0);
}

/* False: the machine stood still when High should arrive. */
static bool run_inside(struct program *program)
{
	run_to_end(program);
	if (high_arrived_inside(program->trace))
		return true;
	free_program(program);
	return false;
}

static void arrival_in_a_section(void **state)
{
	struct program program;
	long long left;
	const char *trace;

	(void)state;
	write_plan_for(protocol, preempted_section);
	plf_await(run_inside(&program));
	trace = program.trace;
	left = event_time(trace, "Low", "unlock", 0);
	assert_true(json_is_valid(trace));
	assert_true(times_ascend(trace));
	assert_true(contains(trace, "\"cut\":null"));
	assert_true(event_time(trace, "High", "grant", 0) >= left);
	if (is_ceiling_protocol())
		assert_true(event_time(trace, "High", "start", 0) >= left);
	assert_true(event_time(trace, "High", "end", 0) < event_time(trace, "Low", "end", 0));
	free_program(&program);
}

/* False: the machine took the processor from Low more often than the record has room for. */
static bool run_with_all_gaps(struct program *program)
{
	run_to_end(program);
	if (task_number(program->trace, "Low", "lost_gaps") == 0)
		return true;
	free_program(program);
	return false;
}

/* The work of a step is done in full, and preemption leaves a gap. */
static void preemption_leaves_a_gap(void **state)
{
	struct program program;

	(void)state;
	write_plan_for(protocol, "limit 60000000000\n"
				 "task High 20 0 queue\nrun 5000000\narrivals 20000000\n"
				 "task Low 10 0 queue\nrun 40000000\narrivals 0\n"
				 "end\n");
	plf_await(run_with_all_gaps(&program));
	assert_true(count_events(program.trace, "Low", "suspend") > 0);
	assert_int_equal(count_events(program.trace, "Low", "suspend"),
			 count_events(program.trace, "Low", "resume"));
	assert_true(event_time(program.trace, "Low", "end", 0) >
		    event_time(program.trace, "High", "end", 0));
	free_program(&program);
}

static void sections_nest(void **state)
{
	struct program program;

	(void)state;
	write_plan_for(protocol, "limit 60000000000\n"
				 "resource Low 5\nresource A 20\nresource B 30\n"
				 "task T 20 0 queue\n"
				 "lock A\nrun 100000\nlock B\nrun 100000\nunlock B\nunlock A\n"
				 "sleep 1000000\nlock B\nunlock B\n"
				 "arrivals 0 10000000\narrivals 20000000 # more\n"
				 "spare 5 0 10000000\n"
				 "end\n");
	run_program(&program, NULL);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	assert_true(json_is_valid(program.trace));
	assert_int_equal(count_events(program.trace, "T", "grant"), 9);
	assert_int_equal(count_events(program.trace, "T", "unlock"), 9);
	assert_int_equal(count_events(program.trace, "T", "wake"), 3);
	assert_true(event_time(program.trace, "T", "wake", 2) >=
		    event_time(program.trace, "T", "sleep", 2) + 1000000);
	assert_false(contains(program.trace, "\"spare_cpu_time_ns\":null"));
	free_program(&program);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(arrival_in_a_section),
		cmocka_unit_test(preemption_leaves_a_gap),
		cmocka_unit_test(sections_nest),
	};

	protocol = argc > 1 ? argv[1] : "plafond";
	return cmocka_run_group_tests_name("protocols", all, enter_directory, leave_directory);
}
