/* SPDX-License-Identifier: MIT */
#include "calls.h"

#include "program.h"
#include "trace.h"

/* Three sections without contention, below the ceiling. */
static const char THREE_SECTIONS[] = "limit 60000000000\n"
				     "resource R1 30\n"
				     "task T 20 0 queue\n"
				     "lock R1\nrun 100000\nunlock R1\nsleep 100000\n"
				     "arrivals 0 10000000 20000000\n"
				     "end\n";

void expect_calls(const char *protocol, int calls)
{
	struct program program;

	write_plan_for(protocol, THREE_SECTIONS);
	run_program(&program, NULL);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	assert_true(contains(program.trace, "\"lock_calls_not_counted\":null"));
	assert_int_equal(task_number(program.trace, "T", "lock_calls"), calls);
	free_program(&program);
}
