/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A thread ends inside its sections, in each possible way. The next lockers learn of it. */
#include "team.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEPTH = 3, WAITER = 30, CEILING = 40 };

static plf_mutex_t mutex[DEPTH];
static struct member waiter;

static void by_return(void)
{
}

static void by_pthread_exit(void)
{
	pthread_exit(NULL);
}

/* _Noreturn, so that an address sanitizer forgets the frames that are unwound. */
__attribute__((noinline)) static _Noreturn void await_cancellation(void)
{
	for (;;)
		pause();
}

static void by_cancellation(void)
{
	pthread_cancel(pthread_self());
	await_cancellation();
}

static void by_raw_exit(void)
{
	vanish();
}

/*
 * As under an emulator, the kernel knows no robust list of the thread. Only ESRCH shows its death.
 */
static void by_unlisted_exit(void)
{
	struct robust_list_head empty = { .list = { &empty.list } };

	syscall(SYS_set_robust_list, &empty, sizeof(empty));
	vanish();
}

struct death {
	void (*die)(void);
	bool waiter;
	bool after_sleep; /* the victim sleeps, so the waiter is on its gate when it dies */
	int depth;
};

static void expect_death(plf_mutex_t *m)
{
	assert_int_equal(plf_mutex_lock(m), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(m));
	assert_int_equal(plf_mutex_consistent(m), EINVAL);
	assert_ok(plf_mutex_unlock(m));
	assert_ok(plf_mutex_lock(m));
	assert_ok(plf_mutex_unlock(m));
}

static void wait_for_the_dead(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	expect_death(&mutex[0]);
	assert_ok(plf_get_stats(&stats));
	assert_true(stats.gate_waits > 0 || !on_ceiling_stack());
}

static void die_inside(void *argument)
{
	const struct death *death = argument;

	for (int i = 0; i < death->depth; i++)
		assert_ok(plf_mutex_lock(&mutex[i]));
	if (death->waiter)
		start(&waiter, WAITER, wait_for_the_dead, NULL);
	if (death->after_sleep)
		sleep_ms(1);
	death->die();
}

static void one_death(struct death death)
{
	struct member victim;

	for (int i = 0; i < DEPTH; i++)
		assert_ok(plf_mutex_init(&mutex[i], CEILING));
	start(&victim, 20, die_inside, &death);
	join(&victim);
	if (death.waiter)
		join(&waiter);
	for (int i = death.waiter; i < death.depth; i++)
		expect_death(&mutex[i]);
	for (int i = 0; i < DEPTH; i++) {
		assert_ok(plf_mutex_lock(&mutex[i]));
		assert_ok(plf_mutex_unlock(&mutex[i]));
	}
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void each_depth(void (*die)(void))
{
	for (int depth = 1; depth <= DEPTH; depth++) {
		one_death((struct death) { .die = die, .depth = depth });
		one_death((struct death) { .die = die, .depth = depth, .waiter = true });
		if ((test_flags & PLF_STRICT) == 0)
			one_death((struct death) {
				.die = die, .depth = depth, .waiter = true, .after_sleep = true });
	}
}

static void next_learns_of_a_return(void **state)
{
	(void)state;
	each_depth(by_return);
}

static void next_learns_of_pthread_exit(void **state)
{
	(void)state;
	each_depth(by_pthread_exit);
}

static void next_learns_of_a_cancellation(void **state)
{
	(void)state;
	each_depth(by_cancellation);
}

static void next_learns_of_a_raw_exit(void **state)
{
	(void)state;
	each_depth(by_raw_exit);
}

static void next_learns_of_an_unlisted_exit(void **state)
{
	(void)state;
	each_depth(by_unlisted_exit);
}

static void inherit_place(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_unlock(&mutex[0]), EPERM);
	expect_death(&mutex[0]);
}

/* The thread that gets the dead thread's place does not get its sections. */
static void heir_of_the_place_learns_it_too(void **state)
{
	struct death death = { .die = by_return, .depth = 1 };
	struct member victim, heir;

	(void)state;
	assert_ok(plf_mutex_init(&mutex[0], CEILING));
	start(&victim, 20, die_inside, &death);
	join(&victim);
	start(&heir, 20, inherit_place, NULL);
	join(&heir);
}

static void repair_what_is_not_mine(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_consistent(&mutex[0]), EINVAL);
}

static void only_the_holder_repairs(void **state)
{
	struct death death = { .die = by_return, .depth = 1 };
	struct member victim, other;

	(void)state;
	assert_ok(plf_mutex_init(&mutex[0], CEILING));
	start(&victim, 20, die_inside, &death);
	join(&victim);
	assert_int_equal(plf_mutex_lock(&mutex[0]), EOWNERDEAD);
	start(&other, CEILING + 1, repair_what_is_not_mine, NULL);
	join(&other);
	assert_ok(plf_mutex_consistent(&mutex[0]));
	assert_ok(plf_mutex_unlock(&mutex[0]));
}

/* The finder of a death may also die before the repair. */
static void die_in_repair(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex[0]), EOWNERDEAD);
}

static void unrepaired_is_enotrecoverable(void **state)
{
	struct death death = { .die = by_raw_exit, .depth = 1 };
	struct member victim;

	(void)state;
	assert_ok(plf_mutex_init(&mutex[0], CEILING));
	start(&victim, 20, die_inside, &death);
	join(&victim);
	start(&victim, 20, die_in_repair, NULL);
	join(&victim);
	assert_int_equal(plf_mutex_lock(&mutex[0]), EOWNERDEAD);
	assert_ok(plf_mutex_unlock(&mutex[0]));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(plf_mutex_lock(&mutex[0]), ENOTRECOVERABLE);
		assert_int_equal(plf_mutex_trylock(&mutex[0]), ENOTRECOVERABLE);
		assert_int_equal(plf_mutex_unlock(&mutex[0]), EPERM);
		assert_int_equal(kernel_priority(gettid()), LOW);
	}
	assert_ok(plf_mutex_destroy(&mutex[0]));
	assert_ok(plf_mutex_init(&mutex[0], CEILING));
	assert_ok(plf_mutex_lock(&mutex[0]));
	assert_int_equal(plf_mutex_consistent(&mutex[0]), EINVAL);
	assert_ok(plf_mutex_unlock(&mutex[0]));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(next_learns_of_a_return),
		team_test(next_learns_of_pthread_exit),
		team_test(next_learns_of_a_cancellation),
		team_test(next_learns_of_a_raw_exit),
		team_test(next_learns_of_an_unlisted_exit),
		team_test(heir_of_the_place_learns_it_too),
		team_test(only_the_holder_repairs),
		team_test(unrepaired_is_enotrecoverable),
	};

	return cmocka_run_group_tests_name("owner death", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
