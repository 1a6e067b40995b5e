/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Every error of lock, trylock, unlock and destroy of a mutex that needs neither a death nor a
 * cycle.
 */
#include "../../real_time/test/patience.h"
#include "team.h"

#include <semaphore.h>

#include <unistd.h>

static plf_mutex_t mutex;

static int setup(void **state)
{
	return plf_mutex_init(&mutex, 40) != 0 ? -1 : attach_main(state);
}

#define mutex_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void use_unattached(void *unused)
{
	int old;

	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), EPERM);
	assert_int_equal(plf_mutex_trylock(&mutex), EPERM);
	assert_int_equal(plf_mutex_timedlock(&mutex, UINT64_MAX), EPERM);
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_int_equal(plf_mutex_setceiling(&mutex, 30, &old), EPERM);
	assert_int_equal(plf_mutex_consistent(&mutex), EINVAL);
	assert_int_equal(plf_wake_hook(), EPERM);
}

static void unattached_is_eperm(void **state)
{
	struct member stranger;

	(void)state;
	for (int held = 0; held < 2; held++) {
		if (held)
			assert_ok(plf_mutex_lock(&mutex));
		start_stranger(&stranger, 50, use_unattached, NULL);
		join(&stranger);
	}
	assert_ok(plf_mutex_unlock(&mutex));
}

static void unlock_what_is_not_mine(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
}

static void unlock_by_a_stranger_is_eperm(void **state)
{
	struct member other;

	(void)state;
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_mutex_lock(&mutex));
	start(&other, 50, unlock_what_is_not_mine, NULL);
	join(&other);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
}

static void unlock_out_of_order_is_eperm(void **state)
{
	plf_mutex_t inner = PLF_MUTEX_INITIALIZER(30);

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&inner));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK); /* still held */
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void wait_on_main(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

/* The priority at plf_attach() counts, not the caller's priority now. */
static void ceiling_below_base_priority_is_einval(void **state)
{
	plf_mutex_t below = PLF_MUTEX_INITIALIZER(LOW - 1);
	plf_mutex_t just = PLF_MUTEX_INITIALIZER(LOW);
	plf_mutex_t beyond = { .ceiling = PLF_PRIORITY_MAX + 1 };
	plf_mutex_t zero;
	struct member waiter;

	(void)state;
	memset(&zero, 0, sizeof(zero));
	for (int boosted = 0; boosted < 2; boosted++) {
		if (boosted) {
			assert_ok(plf_mutex_lock(&mutex));
			start(&waiter, 30, wait_on_main, NULL);
			assert_true(kernel_priority(gettid()) >= 30);
		}
		assert_int_equal(plf_mutex_lock(&below), EINVAL);
		assert_int_equal(plf_mutex_trylock(&below), EINVAL);
		assert_int_equal(plf_mutex_timedlock(&below, 0), EINVAL);
		assert_int_equal(plf_mutex_lock(&zero), EINVAL);
		assert_int_equal(plf_mutex_lock(&beyond), EINVAL);
		assert_ok(plf_mutex_lock(&just));
		assert_ok(plf_mutex_unlock(&just));
		assert_ok(plf_mutex_trylock(&just));
		assert_ok(plf_mutex_unlock(&just));
	}
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
}

static void ceiling_out_of_range_is_einval(void **state)
{
	plf_mutex_t bad;
	int ceiling;

	(void)state;
	assert_int_equal(plf_mutex_init(&bad, 0), EINVAL);
	assert_int_equal(plf_mutex_init(&bad, 100), EINVAL);
	assert_ok(plf_mutex_init(&bad, 1));
	assert_ok(plf_mutex_init(&bad, 99));
	assert_ok(plf_mutex_getceiling(&bad, &ceiling));
	assert_int_equal(ceiling, 99);
	memset(&bad, 0, sizeof(bad));
	assert_int_equal(plf_mutex_getceiling(&bad, &ceiling), EINVAL);
}

static void any_memory_can_be_a_mutex(void **state)
{
	plf_mutex_t any;

	(void)state;
	memset(&any, 0xff, sizeof(any));
	assert_ok(plf_mutex_init(&any, 40));
	assert_ok(plf_mutex_lock(&any));
	assert_ok(plf_mutex_unlock(&any));
	assert_ok(plf_mutex_destroy(&any));
}

static void nest_to_the_limit(void *unused)
{
	plf_mutex_t nest[PLF_DEPTH_MAX + 1];

	(void)unused;
	for (int i = 0; i <= PLF_DEPTH_MAX; i++)
		assert_ok(plf_mutex_init(&nest[i], 60));
	assert_ok(plf_mutex_lock(&nest[PLF_DEPTH_MAX])); /* once, so that its short path works */
	assert_ok(plf_mutex_unlock(&nest[PLF_DEPTH_MAX]));
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < PLF_DEPTH_MAX; i++)
			assert_ok(i % 2 ? plf_mutex_trylock(&nest[i]) : plf_mutex_lock(&nest[i]));
		assert_int_equal(plf_mutex_lock(&nest[PLF_DEPTH_MAX]), EAGAIN);
		assert_int_equal(plf_mutex_trylock(&nest[PLF_DEPTH_MAX]), EAGAIN);
		assert_int_equal(plf_mutex_timedlock(&nest[PLF_DEPTH_MAX], 0), EAGAIN);
		assert_int_equal(plf_mutex_setceiling(&nest[PLF_DEPTH_MAX], 20, NULL), EAGAIN);
		for (int i = PLF_DEPTH_MAX - 1; i >= 0; i--)
			assert_ok(plf_mutex_unlock(&nest[i]));
	}
}

static void too_deep_is_eagain(void **state)
{
	struct member high;

	(void)state;
	nest_to_the_limit(NULL);
	assert_ok(plf_mutex_lock(&mutex)); /* now on a stack that is not empty */
	start(&high, 50, nest_to_the_limit, NULL);
	join(&high);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* The section that is open, alone and on top, belongs to another mutex. */
static void unlock_of_another_is_eperm(void **state)
{
	plf_mutex_t other = PLF_MUTEX_INITIALIZER(40);

	(void)state;
	for (int round = 0; round < 2; round++) { /* slow path, then fast path */
		assert_ok(plf_mutex_lock(&other));
		assert_ok(plf_mutex_unlock(&other));
		assert_ok(plf_mutex_lock(&mutex));
		assert_int_equal(plf_mutex_unlock(&other), EPERM);
		assert_ok(plf_mutex_unlock(&mutex));
		assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	}
}

static void relock_is_edeadlk(void **state)
{
	plf_mutex_t inner = PLF_MUTEX_INITIALIZER(30);

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&inner));
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(plf_mutex_trylock(&mutex), EDEADLK);
	assert_int_equal(plf_mutex_lock(&inner), EDEADLK);
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_mutex_unlock(&mutex));
}

static sem_t held; /* not plf_sem_t: its hook would keep the trier out */
static volatile bool has_tried;

static void try_while_held(void *unused)
{
	(void)unused;
	assert_ok(sem_wait(&held));
	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(plf_mutex_destroy(&mutex), EBUSY);
	assert_int_equal(kernel_priority(gettid()), 40);
	has_tried = true;
}

/* The trier's priority is the ceiling, so it runs while main sleeps inside, with every backend. */
static void held_is_ebusy_for_trylock_and_destroy(void **state)
{
	struct member other;

	(void)state;
	assert_ok(sem_init(&held, 0, 0));
	start(&other, 40, try_while_held, NULL);
	assert_ok(plf_mutex_trylock(&mutex));
	assert_int_equal(plf_mutex_destroy(&mutex), EBUSY);
	assert_ok(sem_post(&held));
	plf_await(has_tried);
	assert_ok(plf_mutex_unlock(&mutex));
	join(&other);
	assert_ok(plf_mutex_trylock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_destroy(&mutex));
	assert_int_equal(plf_mutex_lock(&mutex), EINVAL);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		mutex_test(unattached_is_eperm),
		mutex_test(unlock_by_a_stranger_is_eperm),
		mutex_test(unlock_out_of_order_is_eperm),
		mutex_test(ceiling_below_base_priority_is_einval),
		mutex_test(ceiling_out_of_range_is_einval),
		mutex_test(any_memory_can_be_a_mutex),
		mutex_test(too_deep_is_eagain),
		mutex_test(unlock_of_another_is_eperm),
		mutex_test(relock_is_edeadlk),
		mutex_test(held_is_ebusy_for_trylock_and_destroy),
	};

	return cmocka_run_group_tests_name("mutex errors", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
