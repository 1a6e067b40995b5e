/* SPDX-License-Identifier: MIT */
/* Servers on two CPUs; two of them share a resource. Each is recorded from time 0 on. */
#include "../../real_time/test/patience.h"
#include "json.h"
#include "program.h"
#include "trace.h"

#include <stdio.h>
#include <string.h>

static const char three_servers[] = "limit 60000000000\n"
				    "resource Q 5\nresource R 20\n"
				    "server S 10 0 20000000 8000000 skip 2000000\n"
				    "server U 1 0 40000000 16000000 overrun 4000000\n"
				    "server W 1 1 20000000 8000000\n"
				    "share R S 2\nshare R U 2\n"
				    "task T 2 0 queue S\n"
				    "lock R\nrun 1000000\nunlock R\narrivals 0 20000000\n"
				    "task V 2 0 queue U\n"
				    "lock R\nrun 1000000\nunlock R\narrivals 0\n"
				    "task X 2 1 queue W\n"
				    "lock Q\nrun 1000000\nunlock Q\narrivals 0\n"
				    "end\n";

/* The server has its own counts, and its first period begins at time 0. */
static void expect_server(const char *trace, const char *name)
{
	static const char begin[] = "\"events\":[\n[0,\"replenish\"]";
	char head[64];
	const char *text;

	snprintf(head, sizeof(head), "{\"name\":\"%s\",\"manager\":{", name);
	text = strstr(trace, head);
	assert_non_null(text);
	text = strstr(text, "\"events\"");
	assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
}

static void each_server_is_recorded(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", three_servers);
	run_program(&program, NULL);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	assert_true(json_is_valid(program.trace));
	expect_server(program.trace, "S");
	expect_server(program.trace, "U");
	expect_server(program.trace, "W");
	assert_int_equal(count_events(program.trace, "T", "unlock"), 2);
	assert_int_equal(count_events(program.trace, "V", "unlock"), 1);
	assert_int_equal(count_events(program.trace, "X", "unlock"), 1);
	free_program(&program);
}

/*
 * In both activations, the rest of the budget is too short for the section. Periods of another
 * server do not count.
 */
static const char two_waits[] = "limit 60000000000\n"
				"resource R 20\n"
				"server U 20 0 50000000 1000000\n"
				"server S 10 0 20000000 8000000 skip 6000000\n"
				"share R S 2\n"
				"task T 2 0 queue S\n"
				"run 4000000\nlock R\nrun 1000000\nunlock R\n"
				"arrivals 0 40000000\n"
				"end\n";

/* False: the machine stood still in an activation until a new budget came. */
static bool run_two_waits(struct program *program)
{
	run_program(program, NULL);
	assert_string_equal(program->output, "");
	assert_int_equal(program->status, 0);
	if (count_events(program->trace, "T", "await") == 2)
		return true;
	free_program(program);
	return false;
}

/* The wait ends with a period of its server, however many periods went by. */
static void each_wait_for_a_budget_is_seen(void **state)
{
	struct program program;

	(void)state;
	write_plan_for("plafond", two_waits);
	plf_await(run_two_waits(&program));
	assert_true(times_ascend(program.trace));
	for (int activation = 0; activation < 2; activation++) {
		long long time_ns = event_time(program.trace, "T", "afford", activation);

		assert_int_equal(time_ns % 20000000, 0);
		assert_true(time_ns > event_time(program.trace, "T", "await", activation));
	}
	free_program(&program);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(each_server_is_recorded),
		cmocka_unit_test(each_wait_for_a_budget_is_seen),
	};

	return cmocka_run_group_tests_name("servers", all, enter_directory, leave_directory);
}
