/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* If the C library registers no restartable sequences, the library trusts the CPU of attach. */
#include "team.h"

#include <stdlib.h>
#include <sys/rseq.h>
#include <unistd.h>

static void a_section_opens_and_ends(void **state)
{
	plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(40);

	(void)state;
	assert_int_equal(__rseq_size, 0);
	for (int round = 0; round < 2; round++) { /* slow path, then fast path */
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(plf_mutex_unlock(&mutex));
	}
	assert_ok(plf_wake_hook());
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_section_opens_and_ends),
	};

	return cmocka_run_group_tests_name("no restartable sequences", all, NULL, NULL);
}

/* Start this program anew, because the C library reads its tunables only at a program's start. */
int main(int argc, char **argv)
{
	static const char none[] = "glibc.pthread.rseq=0";
	const char *tunables = getenv("GLIBC_TUNABLES");

	if (tunables == NULL || strcmp(tunables, none) != 0) {
		setenv("GLIBC_TUNABLES", none, 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	return supervise(argc, argv, tests);
}
