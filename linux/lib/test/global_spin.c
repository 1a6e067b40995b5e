/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Mutexes across CPUs: a thread that finds the mutex held spins before it sleeps, if that may help.
 *
 * A lock that spins in vain runs for PLF_SPIN_MAX_NS. Any other lock is over, or asleep, long
 * before. If the host runs another guest meanwhile, that time counts as run, so such a round is
 * repeated.
 */
#include "../../real_time/test/patience.h"
#include "team.h"

#include <plafond/slow.h>

#include <semaphore.h>
#include <time.h>
#include <unistd.h>

enum { A_WHILE_NS = 100000, SHORT_NS = PLF_SPIN_MAX_NS / 2, TIMES = 4 };

static plf_mutex_t mutex;
static sem_t held, go;
static plf_sem_t wanted;
static volatile int is_coming; /* no bool: GCC 12 with -fsanitize=bool loads that once */
static volatile uint64_t left_ns;

static int setup(void **state)
{
	plf_mutex_init_global(&mutex);
	assert_ok(plf_mutex_setspin(&mutex, PLF_SPIN_MAX_NS));
	assert_ok(sem_init(&held, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	assert_ok(plf_sem_init(&wanted, 0));
	is_coming = 0;
	return attach_main(state);
}

static uint64_t run_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void work(void)
{
	uint64_t end_ns = plf_now() + A_WHILE_NS;

	while (plf_now() < end_ns)
		;
}

/* ---- Threads of CPU 1 that hold the mutex ------------------------------- */

static void hold_until_posted(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* Hold the mutex until main has come, and for a while longer. */
static void hold_and_work(void)
{
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	while (!is_coming)
		;
	work();
}

static void work_and_leave(void *unused)
{
	(void)unused;
	hold_and_work();
	left_ns = plf_now();
	assert_ok(plf_mutex_unlock(&mutex));
}

static void work_and_die(void *unused)
{
	(void)unused;
	hold_and_work();
	vanish();
}

/* While main is after the mutex, wake another thread of main's CPU. */
static void work_and_wake(void *unused)
{
	(void)unused;
	hold_and_work();
	assert_ok(plf_sem_post(&wanted));
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void come(struct member *holder, int cpu, void (*body)(void *))
{
	is_coming = 0;
	start_on(holder, cpu, 20, body, NULL);
	sem_wait(&held);
}

/* ---- Spinning that helps ------------------------------------------------ */

/* Did main take the mutex, which it found held, without a wait in the kernel? */
static bool took_spinning(void)
{
	struct member holder;
	uint64_t came_ns;
	int priority;

	come(&holder, 1, work_and_leave);
	is_coming = 1;
	came_ns = plf_now();
	assert_ok(plf_mutex_lock(&mutex));
	priority = kernel_priority(gettid());
	assert_ok(plf_mutex_unlock(&mutex));
	join(&holder);
	if (on_ceiling_stack() && priority != LOW)
		return false;
	return came_ns + A_WHILE_NS / 2 < left_ns;
}

static void takes_a_mutex_that_is_soon_free(void **state)
{
	(void)state;
	plf_await(took_spinning());
}

/* ---- Spinning in vain --------------------------------------------------- */

static uint64_t locked_ns;
static int locked_with;

static void lock_once(void *unused)
{
	uint64_t before_ns = run_ns();

	(void)unused;
	is_coming = 1;
	locked_with = plf_mutex_lock(&mutex);
	locked_ns = run_ns() - before_ns;
	if (locked_with == EOWNERDEAD)
		assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

/* A thread of CPU 0 locks, and sleeps before the holder may go. */
static uint64_t lock_asleep(struct member *holder)
{
	struct member waiter;

	start(&waiter, LOW + 1, lock_once, NULL);
	await_asleep(&waiter);
	sem_post(&go);
	join(holder);
	join(&waiter);
	assert_ok(locked_with);
	return locked_ns;
}

static uint64_t wait_for_a_sleeper(void)
{
	struct member holder;

	come(&holder, 1, hold_until_posted);
	return lock_asleep(&holder);
}

/*
 * Measure several times in a row, because a thread that spins executes little while another thread
 * has its CPU.
 */
static bool are_short(uint64_t (*call)(void))
{
	for (int i = 0; i < TIMES; i++)
		if (call() >= SHORT_NS)
			return false;
	return true;
}

/* The holder's words do not show that it sleeps. Spinning still ends. */
static void sleeps_when_its_time_is_over(void **state)
{
	(void)state;
	assert_in_range(wait_for_a_sleeper(), SHORT_NS, UINT64_MAX);
}

static void lock_local(void *unused)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(30);

	(void)unused;
	assert_ok(plf_mutex_lock(&local));
	assert_ok(plf_mutex_unlock(&local));
}

static uint64_t wait_for_one_at_whose_gate_a_thread_is(void)
{
	struct member holder, urgent;
	uint64_t ns;

	come(&holder, 1, hold_until_posted);
	start_on(&urgent, 1, 30, lock_local, NULL);
	await_asleep(&urgent);
	ns = lock_asleep(&holder);
	join(&urgent);
	return ns;
}

static void sleeps_at_once_where_the_holder_was_preempted(void **state)
{
	(void)state;
	if (on_ceiling_stack())
		plf_await(are_short(wait_for_one_at_whose_gate_a_thread_is));
}

static void lock_and_leave(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static uint64_t wait_behind_another(void)
{
	struct member holder, first;
	uint64_t ns;

	come(&holder, 1, hold_until_posted);
	start(&first, LOW + 2, lock_and_leave, NULL);
	await_asleep(&first);
	ns = lock_asleep(&holder);
	join(&first);
	return ns;
}

static void sleeps_at_once_behind_a_thread_in_line(void **state)
{
	(void)state;
	plf_await(are_short(wait_behind_another));
}

static uint64_t wait_for_one_of_this_cpu(void)
{
	struct member holder;

	come(&holder, 0, hold_until_posted);
	return lock_asleep(&holder);
}

static void sleeps_at_once_behind_a_holder_of_its_cpu(void **state)
{
	(void)state;
	plf_await(are_short(wait_for_one_of_this_cpu));
}

static void pass_by(void *unused)
{
	(void)unused;
	assert_ok(plf_sem_wait(&wanted));
	sem_post(&go);
}

/* Main spins. The thread that comes stands at main's gate, and lets the holder go. */
static uint64_t be_in_the_way(void)
{
	struct member holder, urgent;

	start(&urgent, 30, pass_by, NULL);
	come(&holder, 1, work_and_wake);
	lock_once(NULL);
	join(&urgent);
	join(&holder);
	return locked_ns;
}

static void yields_to_a_thread_of_its_cpu(void **state)
{
	(void)state;
	if (on_ceiling_stack())
		plf_await(be_in_the_way() < SHORT_NS);
}

static uint64_t wait_for_one_that_dies(void)
{
	struct member holder;

	come(&holder, 1, work_and_die);
	lock_once(NULL);
	join(&holder);
	assert_int_equal(locked_with, EOWNERDEAD);
	return locked_ns;
}

static void a_death_ends_it(void **state)
{
	(void)state;
	plf_await(wait_for_one_that_dies() < SHORT_NS);
}

/* ---- Calls that do not spin --------------------------------------------- */

static uint64_t try_it(void)
{
	uint64_t before_ns = run_ns();

	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
	return run_ns() - before_ns;
}

static uint64_t lock_inside_another(void)
{
	plf_mutex_t outer = PLF_MUTEX_GLOBAL_INITIALIZER;
	uint64_t before_ns = run_ns(), ns;

	assert_ok(plf_mutex_lock(&outer));
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	ns = run_ns() - before_ns;
	assert_ok(plf_mutex_unlock(&outer));
	return ns;
}

static void calls_that_do_not_wait_do_not_spin(void **state)
{
	struct member holder;

	(void)state;
	come(&holder, 1, hold_until_posted);
	plf_await(are_short(try_it));
	plf_await(are_short(lock_inside_another));
	sem_post(&go);
	join(&holder);
}

static void its_time_has_a_range(void **state)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(30), global = PLF_MUTEX_GLOBAL_INITIALIZER;
	uint32_t spin_ns = 1;

	(void)state;
	assert_ok(plf_mutex_getspin(&global, &spin_ns));
	assert_int_equal(spin_ns, 0);
	assert_ok(plf_mutex_setspin(&global, PLF_SPIN_MAX_NS));
	assert_int_equal(plf_mutex_setspin(&global, PLF_SPIN_MAX_NS + 1), EINVAL);
	assert_ok(plf_mutex_getspin(&global, &spin_ns));
	assert_int_equal(spin_ns, PLF_SPIN_MAX_NS);
	assert_int_equal(plf_mutex_setspin(&local, 1), EINVAL);
	assert_int_equal(plf_mutex_getspin(&local, &spin_ns), EINVAL);
}

static int tests(void)
{
#define spin_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)
	const struct CMUnitTest all[] = {
		spin_test(takes_a_mutex_that_is_soon_free),
		spin_test(sleeps_when_its_time_is_over),
		spin_test(sleeps_at_once_where_the_holder_was_preempted),
		spin_test(sleeps_at_once_behind_a_thread_in_line),
		spin_test(sleeps_at_once_behind_a_holder_of_its_cpu),
		spin_test(yields_to_a_thread_of_its_cpu),
		spin_test(a_death_ends_it),
		spin_test(calls_that_do_not_wait_do_not_spin),
		cmocka_unit_test(its_time_has_a_range),
	};

	return cmocka_run_group_tests_name("spinning across CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
