/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The gates hang in the C library's list of robust mutexes. Gates and mutexes do not disturb each
 * other, in every order of attach, detach, and lock and unlock of two robust mutexes. Every order
 * is also broken off at every step, by a raw or an orderly exit.
 */
#include "team.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STEPS = 6 };

/* The steps; the first of each pair comes before the second. */
enum step { LOCK_PLAIN, UNLOCK_PLAIN, LOCK_PI, UNLOCK_PI, ATTACH, DETACH };

static pthread_mutex_t plain, pi;
static plf_mutex_t ours;

struct life {
	const enum step *order;
	int length;
	bool raw;
};

static void init_robust(pthread_mutex_t *mutex, int protocol)
{
	pthread_mutexattr_t attr;

	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
	assert_ok(pthread_mutexattr_setprotocol(&attr, protocol));
	assert_ok(pthread_mutex_init(mutex, &attr));
	pthread_mutexattr_destroy(&attr);
}

static void do_step(enum step step)
{
	switch (step) {
	case LOCK_PLAIN:
		assert_ok(pthread_mutex_lock(&plain));
		break;
	case UNLOCK_PLAIN:
		assert_ok(pthread_mutex_unlock(&plain));
		break;
	case LOCK_PI:
		assert_ok(pthread_mutex_lock(&pi));
		break;
	case UNLOCK_PI:
		assert_ok(pthread_mutex_unlock(&pi));
		break;
	case ATTACH:
		assert_ok(plf_attach(20, 0, test_flags));
		assert_ok(plf_mutex_lock(&ours));
		break;
	case DETACH:
		assert_ok(plf_mutex_unlock(&ours));
		assert_ok(plf_detach());
		break;
	}
}

static void live(void *argument)
{
	const struct life *life = argument;

	for (int i = 0; i < life->length; i++)
		do_step(life->order[i]);
	if (life->raw)
		vanish();
}

static bool did(const struct life *life, enum step step)
{
	for (int i = 0; i < life->length; i++)
		if (life->order[i] == step)
			return true;
	return false;
}

static int expected(const struct life *life, enum step first)
{
	return did(life, first) && !did(life, first + 1) ? EOWNERDEAD : 0;
}

static void one_life(struct life life)
{
	struct member member;

	init_robust(&plain, PTHREAD_PRIO_NONE);
	init_robust(&pi, PTHREAD_PRIO_INHERIT);
	assert_ok(plf_mutex_init(&ours, 40));
	start_stranger(&member, 20, live, &life);
	join(&member);
	assert_int_equal(pthread_mutex_lock(&plain), expected(&life, LOCK_PLAIN));
	assert_int_equal(pthread_mutex_lock(&pi), expected(&life, LOCK_PI));
	assert_int_equal(plf_mutex_lock(&ours), expected(&life, ATTACH));
	if (plf_mutex_consistent(&ours) == 0)
		assert_int_equal(expected(&life, ATTACH), EOWNERDEAD);
	assert_ok(plf_mutex_unlock(&ours));
	if (expected(&life, LOCK_PLAIN) != 0)
		assert_ok(pthread_mutex_consistent(&plain));
	if (expected(&life, LOCK_PI) != 0)
		assert_ok(pthread_mutex_consistent(&pi));
	assert_ok(pthread_mutex_unlock(&plain));
	assert_ok(pthread_mutex_unlock(&pi));
}

/* Live all orders that begin with ORDER[0 to LENGTH - 1]; each is also a life that ends there. */
static int all_lives(enum step *order, int length, bool raw)
{
	struct life so_far = { .order = order, .length = length, .raw = raw };
	int count = 1;

	one_life(so_far);
	for (enum step step = LOCK_PLAIN; length < STEPS && step <= DETACH; step++) {
		bool second = step % 2 != 0;

		if (did(&so_far, step) || (second && !did(&so_far, step - 1)))
			continue;
		order[length] = step;
		count += all_lives(order, length + 1, raw);
	}
	return count;
}

static void raw_exit_in_every_order(void **state)
{
	enum step order[STEPS];

	(void)state;
	print_message("%d lives\n", all_lives(order, 0, true));
}

static void orderly_exit_in_every_order(void **state)
{
	enum step order[STEPS];

	(void)state;
	print_message("%d lives\n", all_lives(order, 0, false));
}

/* The gates are hung in and taken out repeatedly, between two of the C library's entries. */
static void attached_again_and_again(void **state)
{
	enum step order[] = { LOCK_PLAIN, ATTACH, DETACH, LOCK_PI, ATTACH, DETACH };

	(void)state;
	one_life((struct life) { .order = order, .length = 6, .raw = true });
	one_life((struct life) { .order = order, .length = 6, .raw = false });
}

/* If a C library keeps its futexes at another distance, its list is left alone. */
static void attach_to_another_list(void *unused)
{
	struct robust_list_head own = { .list = { &own.list }, .futex_offset = -8 };
	struct robust_list_head *before;
	size_t size;

	(void)unused;
	assert_ok(syscall(SYS_get_robust_list, 0, &before, &size));
	assert_ok(syscall(SYS_set_robust_list, &own, sizeof(own)));
	assert_ok(plf_attach(20, 0, test_flags));
	assert_ptr_equal(own.list.next, &own.list);
	assert_ok(plf_mutex_lock(&ours));
	assert_ok(plf_mutex_unlock(&ours));
	assert_ok(plf_detach());
	assert_ok(syscall(SYS_set_robust_list, before, sizeof(*before)));
}

static void other_lists_are_left_alone(void **state)
{
	struct member member;

	(void)state;
	assert_ok(plf_mutex_init(&ours, 40));
	start_stranger(&member, 20, attach_to_another_list, NULL);
	join(&member);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(raw_exit_in_every_order),
		team_test(orderly_exit_in_every_order),
		team_test(attached_again_and_again),
		team_test(other_lists_are_left_alone),
	};

	return cmocka_run_group_tests_name("robust mutexes of the C library", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
