/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A second C library, in its own namespace. Without the drop-in it lacks the data for a protect
 * mutex of the first library, so glibc 2.36 ends the program by an assertion.
 */
#include "crossing.h"

#include <dlfcn.h>

enum { NAMESPACES = 40 };

static void a_second_c_library(void **state)
{
	void *handle;

	UNUSED(state);
	handle = dlmopen(LM_ID_NEWLM, PLUG_IN, RTLD_NOW);
	cross(*plug_in_of(handle));
	assert_ok(dlclose(handle));
}

/* There are sixteen namespaces. Each is free again when its only library is closed. */
static void namespaces_come_and_go(void **state)
{
	UNUSED(state);
	for (int i = 0; i < NAMESPACES; i++) {
		void *handle = dlmopen(LM_ID_NEWLM, PLUG_IN, RTLD_NOW);

		assert_int_equal(plug_in_of(handle)->early(), -1);
		assert_ok(dlclose(handle));
		assert_null(dlmopen(LM_ID_NEWLM, "/no/such/library", RTLD_NOW));
	}
}

/* The library lies in the program's own library path. */
static void a_library_is_found_by_its_callers_path(void **state)
{
	void *handle;

	UNUSED(state);
	handle = dlmopen(LM_ID_NEWLM, PLUG_IN_NAME, RTLD_NOW);
	cross(*plug_in_of(handle));
	assert_ok(dlclose(handle));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_second_c_library),
		team_test(namespaces_come_and_go),
		team_test(a_library_is_found_by_its_callers_path),
	};

	return cmocka_run_group_tests_name("second_library", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
