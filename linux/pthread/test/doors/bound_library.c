/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A library that finds its symbols in its dependencies, before LD_PRELOAD. */
#include "crossing.h"

#include <dlfcn.h>

/* For the library's constructor. */
__attribute__((visibility("default"))) pthread_mutex_t *program_mutex;

static pthread_mutex_t mutex;

static void a_library_that_is_bound_to_its_own(void **state)
{
	void *handle;

	UNUSED(state);
	make_mutex(&mutex, CEILING, PTHREAD_MUTEX_ERRORCHECK);
	program_mutex = &mutex;
	handle = dlopen(PLUG_IN, RTLD_NOW | RTLD_DEEPBIND);
	assert_ok(plug_in_of(handle)->early());
	assert_ok(pthread_mutex_destroy(&mutex));
	cross(*plug_in_of(handle));
	assert_ok(dlclose(handle));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_library_that_is_bound_to_its_own),
	};

	return cmocka_run_group_tests_name("bound_library", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
