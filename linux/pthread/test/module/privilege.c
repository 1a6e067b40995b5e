/* SPDX-License-Identifier: MIT */
/* A thread without the privilege for the ceiling. */
#define _GNU_SOURCE
#include "module.h"
#include "part.h"
#include "tests.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void lock_without_privilege(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_lock(&mutex), EPERM);
	assert_ok(pthread_mutex_lock(&inner));
	assert_int_equal(effective_priority(), 20);
	assert_int_equal(pthread_mutex_trylock(&mutex), EPERM);
	assert_int_equal(effective_priority(), 20);
	assert_ok(pthread_mutex_unlock(&inner));
	assert_int_equal(effective_priority(), LOW);
}

static void give_privilege_away(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	assert_ok(syscall(SYS_capget, &header, data));
	data[CAP_TO_INDEX(CAP_SYS_NICE)].effective &= ~CAP_TO_MASK(CAP_SYS_NICE);
	assert_ok(syscall(SYS_capset, &header, data));
}

/* A new thread finds out its privilege. */
int part_privilege(const char *unused)
{
	const struct rlimit limit = { 20, 20 };

	UNUSED(unused);
	assert_ok(setrlimit(RLIMIT_RTPRIO, &limit));
	give_privilege_away();
	run_as(LOW, lock_without_privilege, NULL);
	return 0;
}

void the_limit_holds(void **state)
{
	UNUSED(state);
	run_part("privilege", NULL);
	expect_statistics(stats_path, "module", 1, 0);
}
