/* SPDX-License-Identifier: MIT */
/* The first attach finds no address space for the threads' shared memory; a later one may. */
#include "team.h"

#include <sys/resource.h>

static void no_memory_is_enomem(void **state)
{
	struct rlimit before, none;

	(void)state;
	assert_ok(getrlimit(RLIMIT_AS, &before));
	none = before;
	none.rlim_cur = 1;
	assert_ok(setrlimit(RLIMIT_AS, &none));
	assert_int_equal(plf_attach(LOW, 0, test_flags), ENOMEM);
	assert_string_equal(plf_backend(), "none");
	assert_int_equal(plf_detach(), EPERM);
	assert_ok(setrlimit(RLIMIT_AS, &before));
	assert_ok(plf_attach(LOW, 0, test_flags));
	assert_ok(plf_detach());
}

static int tests(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(no_memory_is_enomem) };

	return cmocka_run_group_tests_name("no memory", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
