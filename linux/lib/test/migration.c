/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A CPU's ceiling stack is for its own threads. Other threads, and threads that were moved away,
 * get EXDEV.
 */
#include "team.h"

#include <plafond/slow.h>

#include <sched.h>

enum { MS = 1000000 };

static plf_mutex_t mutex;

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	assert_ok(sched_setaffinity(0, sizeof(set), &set));
}

static void use_from_elsewhere(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), EXDEV);
	assert_int_equal(plf_mutex_trylock(&mutex), EXDEV);
	assert_int_equal(plf_mutex_timedlock(&mutex, 0), EXDEV);
	assert_int_equal(plf_mutex_setceiling(&mutex, 30, NULL), EXDEV);
}

static void use_at_home(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void other_cpus_mutex_is_exdev(void **state)
{
	struct member elsewhere;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, 40));
	assert_ok(plf_mutex_lock(&mutex)); /* from here on bound to CPU 0 */
	assert_ok(plf_mutex_unlock(&mutex));
	start_on(&elsewhere, 1, 20, use_from_elsewhere, NULL);
	join(&elsewhere);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_destroy(&mutex)); /* now bound to no CPU */
	assert_ok(plf_mutex_init(&mutex, 40));
	start_on(&elsewhere, 1, 20, use_at_home, NULL);
	join(&elsewhere);
}

/* The hook and the slow path check the thread's CPU. When the thread goes back, they succeed. */
static void migrated_thread_is_exdev(void **state)
{
	plf_mutex_t fresh = PLF_MUTEX_INITIALIZER(40);
	plf_sem_t sem;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, 40));
	assert_ok(plf_sem_init(&sem, 1));
	assert_ok(plf_wake_hook());
	move_to(1);
	assert_int_equal(plf_wake_hook(), EXDEV);
	assert_int_equal(plf_sleep_until(0), EXDEV);
	assert_int_equal(plf_sem_wait(&sem), EXDEV);
	assert_int_equal(plf_mutex_lock(&fresh), EXDEV);
	assert_int_equal(plf_mutex_trylock(&mutex), EXDEV);
	assert_int_equal(plf_mutex_timedlock(&mutex, 0), EXDEV);
	assert_int_equal(plf_mutex_setceiling(&mutex, 30, NULL), EXDEV);
	move_to(0);
	assert_ok(plf_wake_hook());
	assert_ok(plf_mutex_lock(&fresh));
	assert_ok(plf_mutex_unlock(&fresh));
	assert_ok(plf_sem_destroy(&sem));
}

static void no_mutex_across_cpus_for_a_migrated_thread(void **state)
{
	plf_mutex_t across = PLF_MUTEX_GLOBAL_INITIALIZER;

	(void)state;
	if (!has_global_mutexes())
		return;
	move_to(1);
	assert_int_equal(plf_mutex_lock(&across), EXDEV);
	assert_int_equal(plf_mutex_trylock(&across), EXDEV);
	assert_int_equal(plf_mutex_timedlock(&across, 0), EXDEV);
	move_to(0);
	assert_ok(plf_mutex_lock(&across));
	assert_ok(plf_mutex_unlock(&across));
}

static plf_cond_t cond;
static struct member away, waiter;
static struct plf_thread *left; /* the place of the thread `away` */

static void wait_and_be_moved(void *unused)
{
	(void)unused;
	left = plf_self;
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, plf_now() + 5 * MS), EXDEV);
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM); /* not locked again */
	note('x');
}

static void wait_and_come_back(void *unused)
{
	wait_and_be_moved(unused);
	move_to(0);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, plf_now() + MS), ETIMEDOUT);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void wait_for_signal(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_cond_wait(&cond, &mutex));
	note('w');
	assert_ok(plf_mutex_unlock(&mutex));
}

static void wait_elsewhere(void *unused)
{
	assert_ptr_not_equal(plf_self, left);
	wait_for_signal(unused);
}

static void start_and_move_away(void (*body)(void *))
{
	cpu_set_t set;

	assert_ok(plf_mutex_init(&mutex, 40));
	plf_cond_init(&cond);
	start(&away, 30, body, NULL);
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	assert_ok(sched_setaffinity(away.tid, sizeof(set), &set));
	join(&away);
	assert_string_equal(notes(), "x");
}

/*
 * The waiter cannot leave the queue from the other CPU. Still it takes no signal, and its place
 * goes to no other thread.
 */
static void moved_waiter_is_gone(void **state)
{
	(void)state;
	start_and_move_away(wait_and_be_moved);
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
	start(&waiter, 20, wait_elsewhere, NULL);
	assert_ok(plf_cond_signal(&cond));
	join(&waiter);
	assert_string_equal(notes(), "xw");
	assert_ok(plf_cond_destroy(&cond));
}

/* When the waiter is back, it leaves the old queue before it waits again. */
static void moved_waiter_may_wait_again(void **state)
{
	(void)state;
	start_and_move_away(wait_and_come_back);
	start(&waiter, 20, wait_for_signal, NULL);
	assert_ok(plf_cond_signal(&cond));
	join(&waiter);
	assert_string_equal(notes(), "xw");
	assert_ok(plf_cond_destroy(&cond));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(other_cpus_mutex_is_exdev),
		team_test(migrated_thread_is_exdev),
		team_test(no_mutex_across_cpus_for_a_migrated_thread),
		team_test(moved_waiter_is_gone),
		team_test(moved_waiter_may_wait_again),
	};

	return cmocka_run_group_tests_name("migration", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
