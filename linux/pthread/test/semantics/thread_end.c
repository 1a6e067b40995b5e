/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A thread ends inside a section: the mutex stays locked for ever, but no other thread is delayed.
 * Then sections in the code at the end of a thread: cleanup handlers and destructors.
 */
#include "team.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex, other;

static int setup(void **state)
{
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
	make_mutex(&other, 40, PTHREAD_MUTEX_ERRORCHECK);
	return prepare_main(state);
}

#define end_test(f) cmocka_unit_test_setup(f, setup)

static void by_return(void)
{
}

static void by_pthread_exit(void)
{
	pthread_exit(NULL);
}

/* Only the kernel sees this end. */
static void by_system_call(void)
{
	syscall(SYS_exit, 0);
}

static void by_cancellation(void)
{
	pthread_cancel(pthread_self());
	pthread_testcancel();
}

static void (*const ends[])(void) = { by_return, by_pthread_exit, by_system_call, by_cancellation };

enum { ENDS = sizeof(ends) / sizeof(ends[0]) };

static void end_inside(void *argument)
{
	assert_ok(pthread_mutex_lock(&mutex));
	note('l');
	(*(void (*const *)(void))argument)();
}

static void say(void *letter)
{
	assert_ok(pthread_mutex_lock(&other));
	note(*(char *)letter);
	sleep_ms(1);
	assert_ok(pthread_mutex_unlock(&other));
}

/* By a member, which ends, because on plain glibc a timeout leaves the priority raised. */
static void find_it_locked(void *unused)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);

	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(pthread_mutex_timedlock(&mutex, &end), ETIMEDOUT);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

static void the_mutex_stays_locked(void **state)
{
	for (int i = 0; i < ENDS; i++) {
		setup(state);
		run_as(20, end_inside, (void *)&ends[i]);
		assert_string_equal(notes(), "l");
		run_as(20, find_it_locked, NULL);
		run_as(20, find_it_locked, NULL);
		assert_int_equal(kernel_priority(gettid()), LOW);
	}
}

/* The threads are covered by a mutex that will never be released, but are not delayed. */
static void no_other_thread_is_held_up(void **state)
{
	for (int i = 0; i < ENDS; i++) {
		setup(state);
		run_as(20, end_inside, (void *)&ends[i]);
		run_as(20, say, "a");
		run_as(40, say, "b");
		assert_ok(pthread_mutex_lock(&other));
		assert_ok(pthread_mutex_unlock(&other));
		assert_string_equal(notes(), "lab");
	}
}

/* The thread ends while covered threads wait for the section. */
static sem_t sem;

static void wait_and_say(void *letter)
{
	assert_ok(sem_wait(&sem));
	note(*(char *)letter);
}

static void end_with_arrivals(void *argument)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_post(&sem));
	assert_ok(sem_post(&sem));
	note('e');
	(*(void (*const *)(void))argument)();
}

static void the_waiters_go_on(void **state)
{
	struct member member[3];

	assert_ok(sem_init(&sem, 0, 0));
	for (int i = 0; i < ENDS; i++) {
		setup(state);
		start(&member[0], 30, wait_and_say, "a");
		start(&member[1], 40, wait_and_say, "b");
		start(&member[2], 20, end_with_arrivals, (void *)&ends[i]);
		for (int j = 0; j < 3; j++)
			join(&member[j]);
		assert_string_equal(notes(), "eba");
	}
}

static void release(void *unused)
{
	UNUSED(unused);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	note('r');
}

static void exit_with_handler(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	pthread_cleanup_push(release, NULL);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
}

static void a_cleanup_handler_may_unlock(void **state)
{
	UNUSED(state);
	run_as(20, exit_with_handler, NULL);
	assert_string_equal(notes(), "r");
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Destructors of thread-specific data, in each round that the standard allows. */
static pthread_key_t keys[2];
static int rounds;

static void work_at_the_end(void *unused)
{
	UNUSED(unused);
	if (pthread_mutex_lock(&mutex) == 0)
		note('L');
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
	if (++rounds < 3)
		assert_ok(pthread_setspecific(keys[0], &rounds));
}

static void unlock_at_the_end(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_unlock(&other));
	note('U');
}

static void set_specific(void *also_before)
{
	if (also_before != NULL) {
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
	assert_ok(pthread_setspecific(keys[0], &rounds));
}

static void destructors_may_lock(void **state)
{
	for (int before = 0; before < 2; before++) {
		rounds = 0;
		setup(state);
		assert_ok(pthread_key_create(&keys[0], work_at_the_end));
		run_as(20, set_specific, before ? &rounds : NULL);
		assert_string_equal(notes(), "LLL");
		assert_ok(pthread_mutex_trylock(&mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_key_delete(keys[0]));
	}
}

static void lock_for_the_destructor(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_setspecific(keys[1], &rounds));
	assert_ok(pthread_mutex_lock(&other));
}

static void a_destructor_may_unlock(void **state)
{
	UNUSED(state);
	assert_ok(pthread_key_create(&keys[1], unlock_at_the_end));
	run_as(20, lock_for_the_destructor, NULL);
	assert_string_equal(notes(), "U");
	assert_ok(pthread_mutex_trylock(&other));
	assert_ok(pthread_mutex_unlock(&other));
	assert_ok(pthread_key_delete(keys[1]));
}

/* Hundreds of short threads, each with a section, use nothing up. */
static void lock_once(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The last thread is as lazy as the first. */
static void lock_unasked(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	expect_perhaps_raised(40, 20);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void many_threads_one_after_another(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 2000; i++)
		run_as(20, lock_once, NULL);
	run_as(20, lock_unasked, NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		end_test(the_mutex_stays_locked),
		end_test(no_other_thread_is_held_up),
		end_test(the_waiters_go_on),
		end_test(a_cleanup_handler_may_unlock),
		end_test(destructors_may_lock),
		end_test(a_destructor_may_unlock),
		end_test(many_threads_one_after_another),
	};

	return cmocka_run_group_tests_name("thread end", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
