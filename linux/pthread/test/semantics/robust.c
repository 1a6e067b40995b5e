/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Robust mutexes: a dead owner is reported, and the mutex can be made consistent or is not
 * recoverable. The drop-in has them with priority protection, if PLAFOND_ROBUST asks for that. With
 * ROBUST_PROTOCOL=inherit they are the C library's, or the drop-in's if learned ceilings make all
 * of them ROBUST_CEILING.
 */
#include "team.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;

static bool inherits(void)
{
	return getenv("ROBUST_PROTOCOL") != NULL;
}

/* Priority in a section of a thread of that priority, while no other thread waits. */
static int priority_inside(int priority)
{
	const char *learned = getenv("ROBUST_CEILING");
	int ceiling = learned != NULL ? atoi(learned) : inherits() ? 0 : 40;

	return ceiling > priority ? ceiling : priority;
}

/* All mutexes are made by one call, whose return address is the site of the learned ceilings. */
static void make_robust_at(pthread_mutex_t *made, int type)
{
	int protocol = inherits() ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_PROTECT;
	pthread_mutexattr_t attr;

	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_settype(&attr, type));
	assert_ok(pthread_mutexattr_setprotocol(&attr, protocol));
	assert_ok(pthread_mutexattr_setprioceiling(&attr, 40));
	assert_ok(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
	assert_ok(pthread_mutex_init(made, &attr));
	assert_ok(pthread_mutexattr_destroy(&attr));
}

static void make_robust_of(int type)
{
	make_robust_at(&mutex, type);
}

static void make_robust(void)
{
	make_robust_of(PTHREAD_MUTEX_NORMAL);
}

static int setup(void **state)
{
	make_robust();
	assert_ok(pthread_cond_init(&cond, NULL));
	return prepare_main(state);
}

#define robust_test(f) cmocka_unit_test_setup(f, setup)

static void by_return(void)
{
}

static void by_system_call(void)
{
	syscall(SYS_exit, 0);
}

static void (*const ends[])(void) = { by_return, by_system_call };

static void end_inside(void *argument)
{
	assert_ok(pthread_mutex_lock(&mutex));
	(*(void (*const *)(void))argument)();
}

static int lock(void)
{
	return pthread_mutex_lock(&mutex);
}

static int trylock(void)
{
	return pthread_mutex_trylock(&mutex);
}

static int timedlock(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 100);

	return pthread_mutex_timedlock(&mutex, &end);
}

static int (*const locks[])(void) = { lock, trylock, timedlock };

static void use_as_ever(void)
{
	for (int i = 0; i < 3; i++) {
		assert_ok(locks[i]());
		assert_int_equal(effective_priority(), priority_inside(LOW));
		assert_int_equal(pthread_mutex_consistent(&mutex), EINVAL);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(effective_priority(), LOW);
		assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
	}
}

static void without_a_death(void **state)
{
	UNUSED(state);
	use_as_ever();
}

static void made_consistent(void **state)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 2; j++) {
			setup(state);
			run_as(20, end_inside, (void *)&ends[j]);
			assert_int_equal(locks[i](), EOWNERDEAD);
			assert_int_equal(effective_priority(), priority_inside(LOW));
			assert_ok(pthread_mutex_consistent(&mutex));
			assert_ok(pthread_mutex_unlock(&mutex));
			use_as_ever();
		}
	}
}

static void not_recovered(void **state)
{
	UNUSED(state);
	run_as(20, end_inside, (void *)&ends[0]);
	assert_int_equal(lock(), EOWNERDEAD);
	assert_ok(pthread_mutex_unlock(&mutex));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(locks[i](), ENOTRECOVERABLE);
		assert_int_equal(effective_priority(), LOW);
	}
	assert_ok(pthread_mutex_destroy(&mutex));
	make_robust();
	use_as_ever();
}

/* The type stays the same, before and after a death. */
static void lock_twice(int first, int again)
{
	assert_int_equal(lock(), first);
	assert_int_equal(lock(), again);
	assert_int_equal(timedlock(), again);
	if (first == EOWNERDEAD)
		assert_ok(pthread_mutex_consistent(&mutex));
	for (int held = again == 0 ? 3 : 1; held > 0; held--)
		assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

static void of_each_type(void **state)
{
	static const struct {
		int type, again;
	} types[] = { { PTHREAD_MUTEX_ERRORCHECK, EDEADLK }, { PTHREAD_MUTEX_RECURSIVE, 0 } };

	UNUSED(state);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		make_robust_of(types[i].type);
		lock_twice(0, types[i].again);
		run_as(20, end_inside, (void *)&ends[0]);
		lock_twice(EOWNERDEAD, types[i].again);
		use_as_ever();
	}
}

/* The thread sleeps for the mutex when the owner dies. */
static void wait_for_death(void *unused)
{
	UNUSED(unused);
	assert_int_equal(lock(), EOWNERDEAD);
	assert_int_equal(effective_priority(), priority_inside(25));
	note('d');
	assert_ok(pthread_mutex_consistent(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void sleep_and_end(void *argument)
{
	assert_ok(pthread_mutex_lock(&mutex));
	sleep_ms(2);
	(*(void (*const *)(void))argument)();
}

static void a_waiter_learns_it(void **state)
{
	struct member owner, waiter;

	for (int j = 0; j < 2; j++) {
		setup(state);
		start(&owner, 20, sleep_and_end, (void *)&ends[j]);
		start(&waiter, 25, wait_for_death, NULL);
		join(&owner);
		join(&waiter);
		assert_string_equal(notes(), "d");
		use_as_ever();
	}
}

static void wait_on_condition(void *unused)
{
	UNUSED(unused);
	assert_ok(lock());
	assert_int_equal(pthread_cond_wait(&cond, &mutex), EOWNERDEAD);
	note('w');
	assert_ok(pthread_mutex_consistent(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void signal_and_end(void *argument)
{
	assert_ok(lock());
	assert_ok(pthread_cond_signal(&cond));
	(*(void (*const *)(void))argument)();
}

static void a_condition_wait_returns_it(void **state)
{
	struct member waiter;

	for (int j = 0; j < 2; j++) {
		setup(state);
		start(&waiter, 30, wait_on_condition, NULL);
		run_as(20, signal_and_end, (void *)&ends[j]);
		join(&waiter);
		assert_string_equal(notes(), "w");
		use_as_ever();
	}
}

/* The owner's TID and the kernel's flags are in the first word: see set_robust_list(2). */
static uint32_t *first_word(void)
{
	return (uint32_t *)(void *)&mutex;
}

/* The freed memory may hold any value, also a value that looks as if the thread had locked it. */
static void use_and_free(void *argument)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_mutex_destroy(&mutex));
	*first_word() = (uint32_t)gettid();
	(*(void (*const *)(void))argument)();
}

static void one_that_was_freed_is_left_alone(void **state)
{
	struct member user;

	UNUSED(state);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		make_robust();
		start(&user, 20, use_and_free, (void *)&ends[i]);
		join(&user);
		assert_int_equal(*first_word(), user.tid);
	}
}

/*
 * A child of fork() owns each mutex that its thread held. The sections are eager, because the
 * thread queries its priority.
 */
static void unlock_as_owner(void *both)
{
	pthread_mutex_t **held = both;

	for (size_t i = 0; i < 2; i++)
		assert_ok(pthread_mutex_unlock(held[i]));
}

static void two_held_at_fork(void **state)
{
	pthread_mutex_t first, *held[] = { &first, &mutex };

	UNUSED(state);
	make_robust_at(&first, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&first));
	assert_int_equal(effective_priority(), priority_inside(LOW));
	assert_ok(lock());
	assert_int_equal(in_child(unlock_as_owner, held), 0);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_mutex_unlock(&first));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		robust_test(without_a_death),
		robust_test(made_consistent),
		robust_test(not_recovered),
		robust_test(of_each_type),
		robust_test(a_waiter_learns_it),
		robust_test(a_condition_wait_returns_it),
		robust_test(one_that_was_freed_is_left_alone),
	};
	const struct CMUnitTest of_protection[] = { robust_test(two_held_at_fork) };
	int failed = cmocka_run_group_tests_name("robust", all, NULL, NULL);

	if (!inherits())
		failed += cmocka_run_group_tests_name("of protection", of_protection, NULL, NULL);
	return failed;
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
