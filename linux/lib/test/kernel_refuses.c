/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A wait that the kernel refuses for no reason that we know ends with the kernel's error. */
#include "../../real_time/test/refuse_call.h"
#include "team.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WATCHDOG_S = 2, CEILING = 60 };

static plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(CEILING);
static plf_cond_t cond = PLF_COND_INITIALIZER;

static void refuse_futex(uint32_t operation)
{
	alarm(WATCHDOG_S);
	assert_true(refuse_call(SYS_futex, (uint32_t)FUTEX_CMD_MASK, operation, EINVAL));
}

static void wait_in_vain(void)
{
	refuse_futex(FUTEX_WAIT_BITSET);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_wait(&cond, &mutex), EINVAL);
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, plf_now() + 1000000), EINVAL);
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_cond_destroy(&cond)); /* and nobody is in the queue */
}

static void condition_wait_ends_with_the_error(void **state)
{
	(void)state;
	assert_ok(in_child(wait_in_vain));
}

static void sleep_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sleep_ms(50);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void lock_in_vain(void)
{
	struct member sleeper;

	refuse_futex(FUTEX_LOCK_PI);
	start(&sleeper, 2 * LOW, sleep_inside, NULL);
	assert_int_equal(plf_mutex_lock(&mutex), EINVAL);
	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(kernel_priority(gettid()), LOW);
	join(&sleeper);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void lock_ends_with_the_error(void **state)
{
	(void)state;
	assert_ok(in_child(lock_in_vain));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(condition_wait_ends_with_the_error),
		team_test(lock_ends_with_the_error),
	};

	return cmocka_run_group_tests_name("kernel refuses", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
