/* SPDX-License-Identifier: MIT */
/* Cases that need the kernel modules: they run in the guest that has them loaded. */
#include "calls.h"
#include "program.h"

static void one_for_a_section_in_the_driver(void **state)
{
	(void)state;
	expect_calls("immpc", 3);
	expect_calls("immpc-eager", 3);
	expect_calls("rt-mutex", 3);
}

static void none_with_the_module(void **state)
{
	(void)state;
	expect_calls("plafond-module", 0);
	expect_calls("plafond-module-strict", 0);
}

/* With one CPU and ceilings this could not deadlock, but the driver does not know that. */
static void both_orders_in_the_driver(void **state)
{
	(void)state;
	write_plan_for("immpc",
		       "limit 1000000000\nresource A 20\nresource B 20\n"
		       "task T 20 0 queue\nlock A\nlock B\nunlock B\nunlock A\narrivals 0\n"
		       "task U 10 0 queue\nlock B\nlock A\nunlock A\nunlock B\narrivals 0\n"
		       "end\n");
	expect_plan_refusal(NULL, "plafond-run: U: it nests locks in another order than a section "
				  "before: Resource deadlock avoided");
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(one_for_a_section_in_the_driver),
		cmocka_unit_test(none_with_the_module),
		cmocka_unit_test(both_orders_in_the_driver),
	};

	return cmocka_run_group_tests_name("with modules", all, enter_directory, leave_directory);
}
