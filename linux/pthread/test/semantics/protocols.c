/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Mutexes of several protocols in a thread: it runs at the highest priority that any of them gives.
 */
#include "team.h"

#include <unistd.h>

static pthread_mutex_t protect, inherit, plain;

static int setup(void **state)
{
	pthread_mutexattr_t attr;

	make_mutex(&protect, 30, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT));
	assert_ok(pthread_mutex_init(&inherit, &attr));
	assert_ok(pthread_mutex_init(&plain, NULL));
	return prepare_main(state);
}

#define protocol_test(f) cmocka_unit_test_setup(f, setup)

static void take_inherit(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&inherit));
	note('i');
	assert_ok(pthread_mutex_unlock(&inherit));
}

/* If the waiter of the inherit mutex is above or below the ceiling, the higher priority counts. */
static void the_higher_counts(int waiter_priority, bool protect_first)
{
	struct member waiter;
	int self = gettid();
	int higher = waiter_priority > 30 ? waiter_priority : 30;

	forget_notes();
	assert_ok(pthread_mutex_lock(protect_first ? &protect : &inherit));
	assert_ok(pthread_mutex_lock(protect_first ? &inherit : &protect));
	assert_int_equal(effective_priority(), 30);
	start(&waiter, waiter_priority, take_inherit, NULL);
	if (waiter_priority <= 30)
		await_sleep(&waiter);
	assert_int_equal(kernel_priority(self), higher);
	assert_ok(pthread_mutex_unlock(&protect));
	assert_int_equal(kernel_priority(self), waiter_priority);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_lock(&protect));
	expect_perhaps_raised(higher, waiter_priority);
	assert_ok(pthread_mutex_unlock(&inherit));
	/* With frames the waiter runs, because it sleeps and returns without the wake hook. */
	if (way_of_ceilings() == FRAMED)
		assert_string_equal(notes(), "i");
	else
		assert_string_equal(notes(), waiter_priority > 30 ? "i" : "");
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&protect));
	assert_string_equal(notes(), "i");
	assert_int_equal(kernel_priority(self), LOW);
	join(&waiter);
}

static void with_inheritance(void **state)
{
	UNUSED(state);
	for (int first = 0; first < 2; first++) {
		the_higher_counts(20, first);
		the_higher_counts(30, first);
		the_higher_counts(50, first);
	}
}

/* A plain mutex, inside and outside: it changes nothing, and a thread may wait for it. */
static void hold_plain(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&plain));
	await_sleep_of_main();
	note('p');
	assert_ok(pthread_mutex_unlock(&plain));
}

static void with_none(void **state)
{
	struct member holder;

	UNUSED(state);
	start(&holder, 20, hold_plain, NULL);
	assert_ok(pthread_mutex_lock(&protect));
	note('(');
	assert_ok(pthread_mutex_lock(&plain));
	note(')');
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&protect));
	assert_int_equal(effective_priority(), LOW);
	assert_ok(pthread_mutex_unlock(&plain));
	assert_string_equal(notes(), "(p)");
	join(&holder);
}

/* A thread that waits in a section for an inherit mutex lends its ceiling to the holder. */
static void hold_inherit(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&inherit));
	await_sleep_of_main();
	note((char)('0' + kernel_priority(gettid()) / 10));
	assert_ok(pthread_mutex_unlock(&inherit));
	assert_int_equal(kernel_priority(gettid()), 20);
}

static void a_ceiling_is_inherited(void **state)
{
	struct member holder;

	UNUSED(state);
	start(&holder, 20, hold_inherit, NULL);
	assert_ok(pthread_mutex_lock(&protect));
	assert_ok(pthread_mutex_lock(&inherit));
	assert_ok(pthread_mutex_unlock(&inherit));
	assert_ok(pthread_mutex_unlock(&protect));
	assert_string_equal(notes(), "3");
	join(&holder);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		protocol_test(with_inheritance),
		protocol_test(with_none),
		protocol_test(a_ceiling_is_inherited),
	};

	return cmocka_run_group_tests_name("protocols", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
