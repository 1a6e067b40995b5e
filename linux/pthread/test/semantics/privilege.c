/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A thread that may not raise its priority: EPERM for a ceiling above it, and the attempt leaves
 * nothing behind. A ceiling at its priority works.
 */
#include "team.h"

#include <semaphore.h>
#include <sys/resource.h>
#include <unistd.h>

enum { UNPRIVILEGED = 65534 };

static pthread_mutex_t equal, higher;

static void give_privileges_away(void)
{
	const struct rlimit none = { 0, 0 };

	assert_ok(setrlimit(RLIMIT_RTPRIO, &none));
	assert_ok(setresgid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED));
	assert_ok(setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED));
}

static int lock(void)
{
	return pthread_mutex_lock(&higher);
}

static int trylock(void)
{
	return pthread_mutex_trylock(&higher);
}

static int timedlock(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 100);

	return pthread_mutex_timedlock(&higher, &end);
}

static int (*const locks[])(void) = { lock, trylock, timedlock };

static void lock_equal(void)
{
	assert_ok(pthread_mutex_lock(&equal));
	assert_int_equal(effective_priority(), 20);
	sleep_ms(1);
	assert_ok(pthread_mutex_unlock(&equal));
	assert_int_equal(effective_priority(), 20);
}

static void *be_refused(void *how)
{
	int (*attempt)(void) = *(int (*const *)(void))how;

	lock_equal();
	assert_int_equal(attempt(), EPERM);
	assert_int_equal(effective_priority(), 20);
	lock_equal();
	assert_int_equal(attempt(), expected(UNPRIVILEGED_LOCKS_AGAIN));
	assert_int_equal(effective_priority(), 20);
	return NULL;
}

/* In a separate process, whose thread inherits its priority. */
static void without_privileges(void *how)
{
	pthread_t thread;

	make_mutex(&equal, 20, PTHREAD_MUTEX_NORMAL);
	make_mutex(&higher, 21, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_setschedprio(pthread_self(), 20));
	give_privileges_away();
	assert_ok(pthread_create(&thread, NULL, be_refused, how));
	assert_ok(pthread_join(thread, NULL));
}

static void a_higher_ceiling_is_refused(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 3; i++)
		assert_int_equal(in_child(without_privileges, (void *)&locks[i]), 0);
}

/* ---- Privileges that go while a thread waits ----------------------------- */

static sem_t unlocked, again;
static int others; /* open sections of the waiter: perhaps as many as have an account */

static void change_others(int (*call)(pthread_mutex_t *))
{
	static pthread_mutex_t mutexes[64];

	for (int i = 0; i < others; i++) {
		if (call == pthread_mutex_lock)
			make_mutex(&mutexes[i], 20, PTHREAD_MUTEX_NORMAL);
		assert_ok(call(&mutexes[i]));
	}
}

static void set_privileges(uid_t user)
{
	struct rlimit limit;

	assert_ok(getrlimit(RLIMIT_RTPRIO, &limit));
	limit.rlim_cur = user == 0 ? limit.rlim_max : 0;
	assert_ok(setrlimit(RLIMIT_RTPRIO, &limit));
	assert_ok(seteuid(user)); /* of all threads */
}

/* Such a waiter's section has no ceiling, so a change of the ceiling is not refused. */
static bool has_no_ceiling(void)
{
	return on_plafond() && way_of_ceilings() != CLAIMED;
}

static void wait_for_higher(void *unused)
{
	int old;

	UNUSED(unused);
	change_others(pthread_mutex_lock);
	assert_ok(lock());
	if (has_no_ceiling())
		assert_ok(pthread_mutex_setprioceiling(&higher, 22, &old));
	assert_ok(pthread_mutex_unlock(&higher));
	assert_int_equal(effective_priority(), 20);
	sem_post(&unlocked);
	sem_wait(&again);
	lock_equal();
	assert_ok(lock());
	assert_int_equal(effective_priority(), has_no_ceiling() ? 22 : 21);
	assert_ok(pthread_mutex_unlock(&higher));
	change_others(pthread_mutex_unlock);
	assert_int_equal(effective_priority(), 20);
}

/* Both threads are eager under this policy, so that the thread waits at the lock word. */
static void lose_privileges_for_a_while(void *unused)
{
	struct member waiter;

	UNUSED(unused);
	make_mutex(&equal, 20, PTHREAD_MUTEX_NORMAL);
	make_mutex(&higher, 21, PTHREAD_MUTEX_RECURSIVE);
	assert_ok(sem_init(&unlocked, 0, 0));
	assert_ok(sem_init(&again, 0, 0));
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_RR,
					&(struct sched_param) { .sched_priority = 20 }));
	assert_ok(lock());
	start_as(&waiter, SCHED_RR, 0, 20, wait_for_higher, NULL);
	await_sleep(&waiter);
	set_privileges(UNPRIVILEGED);
	assert_ok(pthread_mutex_unlock(&higher));
	sem_wait(&unlocked);
	set_privileges(0);
	sem_post(&again);
	join(&waiter);
}

/* Then the waiter gets the mutex, but not the ceiling: it stays at its own priority. */
static void a_waiter_goes_on_without_the_privilege(void **state)
{
	UNUSED(state);
	for (others = 0; others <= 64; others += 64)
		assert_int_equal(in_child(lose_privileges_for_a_while, NULL), 0);
}

/* ---- A section that is open ------------------------------------------------ */

static void change_own_section(void *unused)
{
	static pthread_mutex_t outer, mutex;
	int old = -5;

	UNUSED(unused);
	make_mutex(&outer, 25, PTHREAD_MUTEX_NORMAL);
	make_mutex(&mutex, 30, PTHREAD_MUTEX_RECURSIVE);
	assert_ok(pthread_setschedprio(pthread_self(), 20));
	assert_ok(pthread_mutex_lock(&outer));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 30);
	set_privileges(UNPRIVILEGED);
	assert_int_equal(pthread_mutex_setprioceiling(&mutex, 50, &old), EPERM);
	assert_int_equal(old, -5);
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 25);
	assert_ok(pthread_mutex_unlock(&outer));
	assert_int_equal(effective_priority(), 20);
}

/* The C library counts a refused ceiling, too: see UNPRIVILEGED_LOCKS_AGAIN. */
static void a_refused_change_leaves_the_section_as_it_is(void **state)
{
	UNUSED(state);
	if (on_plafond())
		assert_int_equal(in_child(change_own_section, NULL), 0);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_higher_ceiling_is_refused),
		team_test(a_refused_change_leaves_the_section_as_it_is),
		team_test(a_waiter_goes_on_without_the_privilege),
	};

	return cmocka_run_group_tests_name("privilege", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
