/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * fork() with open sections: the child's only thread is a copy of the thread that forked. It owns
 * that thread's mutexes, and unlocks them.
 */
#include "team.h"

#include <semaphore.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t first, second;

static int setup(void **state)
{
	make_mutex(&first, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&second, 30, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define fork_test(f) cmocka_unit_test_setup(f, setup)

static void lock_again(void)
{
	assert_ok(pthread_mutex_lock(&first));
	assert_int_equal(pthread_mutex_trylock(&first), EBUSY);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&first));
	assert_int_equal(effective_priority(), LOW);
}

/* A covered thread of the child waits for the child's section. */
static void say(void *letter)
{
	note(*(char *)letter);
}

static void threads_in_the_child(void)
{
	struct member covered;

	forget_notes();
	assert_ok(pthread_mutex_lock(&first));
	start(&covered, 20, say, "c");
	note(')');
	assert_ok(pthread_mutex_unlock(&first));
	join(&covered);
	assert_string_equal(notes(), ")c");
}

static void unlock_both(void *unused)
{
	UNUSED(unused);
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(base_priority(), LOW);
	assert_int_equal(pthread_mutex_trylock(&first), EBUSY);
	assert_ok(pthread_mutex_unlock(&first));
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&second));
	assert_int_equal(effective_priority(), LOW);
	lock_again();
	threads_in_the_child();
}

/* By main and by another thread; with and without a query of the priority before. */
static void fork_inside(void *asked)
{
	pthread_t self = pthread_self();

	assert_ok(pthread_mutex_lock(&second));
	assert_ok(pthread_mutex_lock(&first));
	if (asked != NULL)
		assert_int_equal(effective_priority(), 40);
	assert_int_equal(in_child(unlock_both, NULL), 0);
	assert_true(pthread_equal(self, pthread_self()));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&first));
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&second));
	assert_int_equal(effective_priority(), LOW);
	lock_again();
}

static void the_child_unlocks_what_it_owns(void **state)
{
	static char asked;

	UNUSED(state);
	fork_inside(NULL);
	fork_inside(&asked);
	run_as(LOW, fork_inside, NULL);
	run_as(LOW, fork_inside, &asked);
}

/* More sections than a thread has accounts for, unlocked in another order. */
enum { MANY = 70 };
static pthread_mutex_t many[MANY];

static void unlock_many(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < MANY; i++)
		assert_ok(pthread_mutex_unlock(&many[i * 3 % MANY]));
	assert_int_equal(effective_priority(), LOW);
	lock_again();
}

/* The child owns no mutex that was unlocked before the fork. */
static void find_all_unlocked(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < MANY; i++) {
		assert_ok(pthread_mutex_trylock(&many[i]));
		assert_ok(pthread_mutex_unlock(&many[i]));
	}
}

static void the_child_unlocks_many(void **state)
{
	UNUSED(state);
	for (int i = 0; i < MANY; i++) {
		make_mutex(&many[i], 30, PTHREAD_MUTEX_NORMAL);
		assert_ok(pthread_mutex_lock(&many[i]));
	}
	assert_int_equal(in_child(unlock_many, NULL), 0);
	unlock_many(NULL);
	assert_int_equal(in_child(find_all_unlocked, NULL), 0);
}

/* Mutex types that check the owner know it in the child. */
static void unlock_as_owner(void *argument)
{
	pthread_mutex_t *mutex = argument;

	assert_int_equal(pthread_mutex_unlock(mutex), expected(CHILD_UNLOCKS_AS_OWNER));
}

static void own_as(int type)
{
	pthread_mutex_t mutex;

	make_mutex(&mutex, 40, type);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(in_child(unlock_as_owner, &mutex), 0);
	assert_int_equal(pthread_mutex_lock(&mutex),
			 type == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : 0);
	if (type == PTHREAD_MUTEX_RECURSIVE)
		assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

static void the_child_is_the_owner(void **state)
{
	UNUSED(state);
	own_as(PTHREAD_MUTEX_ERRORCHECK);
	own_as(PTHREAD_MUTEX_RECURSIVE);
}

/* A mutex of another thread stays locked in the child, and its ceiling covers no thread. */
static void hold(void *sem)
{
	assert_ok(pthread_mutex_lock(&first));
	assert_ok(sem_wait(sem));
	assert_ok(pthread_mutex_unlock(&first));
}

static void find_first_locked(void *unused)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);

	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&first), EBUSY);
	assert_ok(pthread_mutex_lock(&second));
	assert_int_equal(effective_priority(), 30);
	sleep_ms(1);
	assert_ok(pthread_mutex_unlock(&second));
	assert_int_equal(effective_priority(), LOW);
	assert_int_equal(pthread_mutex_timedlock(&first, &end), ETIMEDOUT);
}

static void what_another_thread_held(void **state)
{
	struct member holder;
	sem_t sem;

	UNUSED(state);
	assert_ok(sem_init(&sem, 0, 0));
	start(&holder, 20, hold, &sem);
	await_sleep(&holder);
	assert_int_equal(in_child(find_first_locked, NULL), 0);
	assert_ok(sem_post(&sem));
	join(&holder);
	lock_again();
}

/* The standard's pattern: prepare takes all locks, parent and child release them. */
static void take_all(void)
{
	assert_ok(pthread_mutex_lock(&second));
	assert_ok(pthread_mutex_lock(&first));
}

static void release_all(void)
{
	assert_ok(pthread_mutex_unlock(&second));
	assert_ok(pthread_mutex_unlock(&first));
}

static void use_all(void *unused)
{
	UNUSED(unused);
	assert_int_equal(effective_priority(), LOW);
	lock_again();
	take_all();
	release_all();
	threads_in_the_child();
}

static void lock_and_release_often(void *unused)
{
	UNUSED(unused);
	for (int i = 0; i < 20; i++) {
		take_all();
		sleep_ms(1);
		release_all();
	}
}

static void all_locks_taken_around_the_fork(void *unused)
{
	struct member busy;

	UNUSED(unused);
	assert_ok(pthread_atfork(take_all, release_all, release_all));
	for (int cpu = 0; cpu < 2; cpu++) {
		start_on(&busy, cpu, 20, lock_and_release_often, NULL);
		for (int i = 0; i < 5; i++) {
			assert_int_equal(in_child(use_all, NULL), 0);
			assert_int_equal(effective_priority(), LOW);
		}
		join(&busy);
	}
	lock_again();
}

/* In a separate process, because the handlers stay. */
static void with_fork_handlers(void **state)
{
	UNUSED(state);
	assert_int_equal(in_child(all_locks_taken_around_the_fork, NULL), 0);
}

/* A grandchild, and sections that stay open over both forks. */
static void unlock_second(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_unlock(&second));
	assert_int_equal(effective_priority(), LOW);
	lock_again();
}

static void fork_again(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_unlock(&first));
	assert_int_equal(in_child(unlock_second, NULL), 0);
	unlock_second(NULL);
}

static void a_grandchild(void **state)
{
	UNUSED(state);
	take_all();
	assert_int_equal(in_child(fork_again, NULL), 0);
	release_all();
	lock_again();
}

static void a_program_started_inside(void **state)
{
	extern char **environ;
	char *const arguments[] = { "true", NULL };
	pid_t child;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&first));
	assert_ok(posix_spawnp(&child, "true", NULL, NULL, arguments, environ));
	assert_int_equal(status_of(child), 0);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&first));
	lock_again();
}

/* The child's thread ends in a section from its parent. The section then covers no thread. */
static void *say_and_exit(void *unused)
{
	UNUSED(unused);
	_exit(7);
}

static void end_inside(void *unused)
{
	struct sched_param param = { .sched_priority = 20 };
	pthread_attr_t attr;
	pthread_t covered;

	UNUSED(unused);
	assert_ok(pthread_attr_init(&attr));
	assert_ok(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	assert_ok(pthread_attr_setschedpolicy(&attr, SCHED_FIFO));
	assert_ok(pthread_attr_setschedparam(&attr, &param));
	assert_ok(pthread_create(&covered, &attr, say_and_exit, NULL));
	syscall(SYS_exit, 0);
}

static void the_child_ends_inside(void **state)
{
	UNUSED(state);
	assert_ok(pthread_mutex_lock(&first));
	assert_int_equal(in_child(end_inside, NULL), 7);
	assert_ok(pthread_mutex_unlock(&first));
}

/* A change that a thread of another CPU is making at the fork is complete in the child. */
static _Atomic bool is_enough;

static void set_and_set(void *unused)
{
	struct sched_param param = { .sched_priority = 20 };

	UNUSED(unused);
	for (int i = 0; i < 2000000 && !is_enough; i++)
		assert_ok(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param));
}

static void lock_in_a_thread(void *unused)
{
	UNUSED(unused);
	run_as(LOW, use_all, NULL);
}

static void beside_scheduling_calls(void **state)
{
	struct member busy;

	UNUSED(state);
	is_enough = false;
	start_on(&busy, 1, 20, set_and_set, NULL);
	for (int i = 0; i < 20; i++)
		assert_int_equal(in_child(lock_in_a_thread, NULL), 0);
	is_enough = true;
	join(&busy);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		fork_test(the_child_unlocks_what_it_owns),
		fork_test(the_child_unlocks_many),
		fork_test(the_child_is_the_owner),
		fork_test(what_another_thread_held),
		fork_test(with_fork_handlers),
		fork_test(a_grandchild),
		fork_test(a_program_started_inside),
		fork_test(the_child_ends_inside),
		fork_test(beside_scheduling_calls),
	};

	return cmocka_run_group_tests_name("fork", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
