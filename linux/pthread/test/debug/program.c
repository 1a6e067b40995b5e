/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* For a debugger: threads that wait for mutexes of each kind, two of them in a cycle. */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t with_ceiling, of_one, of_other, inherit;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t idle, covering;
static sem_t go_on, wake;

static void lock(void *mutex)
{
	pthread_mutex_lock(mutex);
}

static void lock_one_then_other(void *unused)
{
	UNUSED(unused);
	pthread_mutex_lock(&of_one);
	sem_wait(&go_on);
	pthread_mutex_lock(&of_other);
}

static void lock_other_then_one(void *unused)
{
	UNUSED(unused);
	pthread_mutex_lock(&of_other);
	pthread_mutex_lock(&of_one);
}

static void make_all(void)
{
	pthread_mutexattr_t attr;

	make_mutex(&with_ceiling, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&of_one, 41, PTHREAD_MUTEX_NORMAL);
	make_mutex(&of_other, 42, PTHREAD_MUTEX_NORMAL);
	make_mutex(&idle, 43, PTHREAD_MUTEX_NORMAL);
	make_mutex(&covering, 50, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT));
	assert_ok(pthread_mutex_init(&inherit, &attr));
}

static void start_named(struct member *member, int priority, const char *name, void (*body)(void *),
			void *argument)
{
	start(member, priority, body, argument);
	assert_ok(pthread_setname_np(member->thread, name));
	await_sleep(member);
}

__attribute__((noinline)) static void all_wait(void)
{
	__asm__ volatile("" ::: "memory");
}

static void be_covered(void *unused)
{
	UNUSED(unused);
	sem_wait(&wake);
}

/* Wake a more urgent thread, which the section covers. */
static void cover(void *unused)
{
	UNUSED(unused);
	pthread_mutex_lock(&covering);
	sem_post(&wake);
	all_wait();
	_exit(0);
}

static void threads_wait(void **state)
{
	static struct member members[8];

	UNUSED(state);
	make_all();
	assert_ok(pthread_mutex_lock(&plain));
	assert_ok(pthread_mutex_lock(&inherit));
	assert_ok(pthread_mutex_lock(&with_ceiling));
	start_named(&members[0], 20, "control", lock, &with_ceiling);
	start_named(&members[1], 21, "log", lock, &with_ceiling);
	start_named(&members[2], 22, "reader", lock, &plain);
	start_named(&members[3], 23, "heir", lock, &inherit);
	start_named(&members[4], 24, "one", lock_one_then_other, NULL);
	start_named(&members[5], 25, "other", lock_other_then_one, NULL);
	assert_ok(sem_post(&go_on));
	await_sleep(&members[4]);
	start_named(&members[6], 30, "covered", be_covered, NULL);
	start(&members[7], 26, cover, NULL);
	join(&members[7]);
}

static int tests(void)
{
	const struct CMUnitTest all[] = { team_test(threads_wait) };

	return cmocka_run_group_tests_name("debug", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
