/* SPDX-License-Identifier: MIT */
/* The kernel's count of lock calls is the protocol's: none, or two for each section. */
#include "calls.h"
#include "program.h"

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

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(two_for_a_section),
		cmocka_unit_test(none_without_contention),
	};

	return cmocka_run_group_tests_name("lock calls", all, enter_directory, leave_directory);
}
