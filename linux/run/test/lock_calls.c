/* SPDX-License-Identifier: MIT */
/* The kernel's count of lock calls is that of the protocol: none, or two for a section. */
#include "json.h"
#include "program.h"
#include "trace.h"

#include <unistd.h>

/* Three sections, alone, below the ceiling. */
static const char THREE_SECTIONS[] = "limit 1000000000\n"
				     "resource R1 30\n"
				     "task T 20 0 queue\n"
				     "lock R1\nrun 100000\nunlock R1\nsleep 100000\n"
				     "arrivals 0 10000000 20000000\n"
				     "end\n";

static void expect_calls(const char *protocol, int calls)
{
	struct program program;

	write_plan_for(protocol, THREE_SECTIONS);
	run_program(&program, NULL);
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 0);
	if (contains(program.trace, "\"lock_calls_not_counted\":\""))
		skip();
	assert_int_equal(task_number(program.trace, "T", "lock_calls"), calls);
	free_program(&program);
}

static void two_for_a_section(void **state)
{
	(void)state;
	expect_calls("protect", 6);
	expect_calls("plafond-syscall", 6);
}

static void none_without_contention(void **state)
{
	(void)state;
	expect_calls("plafond", 0);
	expect_calls("plafond-strict", 0);
	expect_calls("inherit", 0);
	expect_calls("none", 0);
}

/* Where the driver is loaded. */
static void one_for_a_section_in_the_driver(void **state)
{
	(void)state;
	if (access("/dev/immpc", F_OK) != 0)
		skip();
	expect_calls("immpc", 3);
	expect_calls("immpc-eager", 3);
	expect_calls("rt-mutex", 3);
}

static void none_with_the_module(void **state)
{
	(void)state;
	if (access("/dev/plafond", F_OK) != 0)
		skip();
	expect_calls("plafond-module", 0);
	expect_calls("plafond-module-strict", 0);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(two_for_a_section),
		cmocka_unit_test(none_without_contention),
		cmocka_unit_test(one_for_a_section_in_the_driver),
		cmocka_unit_test(none_with_the_module),
	};

	return cmocka_run_group_tests_name("lock calls", all, enter_directory, leave_directory);
}
