/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Signal handlers interrupt the library anywhere, and fork, query or set scheduling, or wait for
 * another thread that does. With the C library alone a handler may make these calls.
 */
#include "differences.h"
#include "team.h"

#include "../../../real_time/test/patience.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNALS = 25, MEMBER = 20 };

static pthread_mutex_t mutex;
static _Atomic bool is_ready, over;
static _Atomic int handled;

static int setup(void **state)
{
	over = false;
	handled = 0;
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define interrupted_test(f) cmocka_unit_test_setup(f, setup)

/* ---- The interrupted calls ----------------------------------------------- */

static void ask(void)
{
	struct sched_param param;
	int policy;

	assert_ok(pthread_getschedparam(pthread_self(), &policy, &param));
}

static void ask_kernel(void)
{
	struct sched_param param;

	assert_ok(sched_getparam(0, &param));
}

static void set(void)
{
	struct sched_param param = { .sched_priority = MEMBER };

	assert_ok(sched_setscheduler(0, SCHED_FIFO, &param));
}

static void lock_and_unlock(void)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The thread settles anew each time. */
static void settle_and_lock(void)
{
	set();
	lock_and_unlock();
}

static void (*const steps[])(void) = { ask, ask_kernel, set, lock_and_unlock, settle_and_lock };

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

/* The C library allocates at the first lock, and a handler must not fork in malloc(). */
static void repeat(void *step)
{
	if (!on_plafond())
		lock_and_unlock();
	is_ready = true;
	while (!over)
		(*(void (*const *)(void))step)();
	assert_int_equal(base_priority(), MEMBER);
}

/*
 * The naps grow. Otherwise a machine that is as slow as a nap is long would run nothing but this
 * thread, because it is the most urgent on its CPU.
 */
static void await_handler(int times)
{
	for (useconds_t nap_us = 20; handled < times; nap_us *= 2)
		usleep(nap_us);
}

/* The member keeps its CPU, so the sender must be running before. */
static void send(void *argument)
{
	const struct member *member = argument;

	plf_await(is_ready);
	for (unsigned i = 0; i < SIGNALS; i++) {
		assert_ok(pthread_kill(member->thread, SIGUSR2));
		usleep(40 + i * 7 % 30);
		await_handler((int)i + 1);
	}
	over = true;
}

static void interrupt(void (*const *step)(void), void (*handler)(int), int cpu)
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct member member, sender;

	is_ready = over = false;
	handled = 0;
	assert_ok(sigaction(SIGUSR2, &action, NULL));
	start(&sender, 50, send, &member);
	start_on(&member, cpu, MEMBER, repeat, (void *)(uintptr_t)step);
	join(&sender);
	join(&member);
	lock_and_unlock();
}

static void interrupt_all(void (*handler)(int))
{
	for (int i = 0; i < STEPS; i++) {
		interrupt(&steps[i], handler, 0);
		interrupt(&steps[i], handler, ANY_CPU); /* eager */
	}
}

/* ---- The handlers -------------------------------------------------------- */

static void start_by(pid_t (*make_child)(void))
{
	int saved = errno;
	pid_t helper = make_child();

	if (helper == 0)
		_exit(0);
	waitpid(helper, NULL, 0);
	handled++;
	errno = saved;
}

static void start_helper(int signal)
{
	UNUSED(signal);
	start_by(fork);
}

static void one_that_forks(void **state)
{
	UNUSED(state);
	interrupt_all(start_helper);
}

static void start_helper_without_handlers(int signal)
{
	UNUSED(signal);
	start_by(_Fork);
}

static void one_that_forks_without_handlers(void **state)
{
	UNUSED(state);
	interrupt(&steps[STEPS - 1], start_helper_without_handlers, 0);
	interrupt(&steps[STEPS - 1], start_helper_without_handlers, ANY_CPU);
}

static void set_and_ask(int signal)
{
	cpu_set_t cpus;
	int saved = errno;

	UNUSED(signal);
	ask_kernel();
	set();
	assert_ok(sched_getaffinity(0, sizeof(cpus), &cpus));
	assert_ok(sched_setaffinity(0, sizeof(cpus), &cpus));
	handled++;
	errno = saved;
}

static void one_that_sets_scheduling(void **state)
{
	UNUSED(state);
	interrupt_all(set_and_ask);
}

/* Another thread sets this thread's base meanwhile. It must not have to wait for the handler. */
static sem_t asked, answered;

static void wait_for_answer(int signal)
{
	int saved = errno;

	UNUSED(signal);
	sem_post(&asked);
	sem_wait(&answered);
	handled++;
	errno = saved;
}

static void answer(void *unused)
{
	UNUSED(unused);
	for (;;) {
		assert_ok(sem_wait(&asked));
		if (over)
			return;
		ask();
		set();
		lock_and_unlock();
		assert_ok(sem_post(&answered));
	}
}

static void one_that_waits_for_another_thread(void **state)
{
	void (*const interrupted[])(void) = { ask_kernel, set };
	struct member other;

	UNUSED(state);
	assert_ok(sem_init(&asked, 0, 0));
	assert_ok(sem_init(&answered, 0, 0));
	for (size_t i = 0; i < sizeof(interrupted) / sizeof(interrupted[0]); i++) {
		over = false;
		start(&other, MEMBER, answer, NULL);
		interrupt(&interrupted[i], wait_for_answer, 0);
		assert_ok(sem_post(&asked));
		join(&other);
	}
}

/* ---- The child of _Fork() ------------------------------------------------ */

static void lock_in_turn(void *unused)
{
	UNUSED(unused);
	note('(');
	assert_ok(pthread_mutex_lock(&mutex));
	note('w');
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The child's thread has its own TID, and other threads wait for it. */
static void the_child_of_fork_without_handlers(void **state)
{
	struct member waiter;
	pid_t child;

	UNUSED(state);
	lock_and_unlock();
	assert_ok(pthread_mutex_lock(&mutex));
	child = _Fork();
	assert_true(child >= 0);
	if (child == 0) {
		alarm(5);
		start_on(&waiter, 1, 20, lock_in_turn, NULL);
		await_sleep(&waiter);
		assert_string_equal(notes(), "(");
		assert_ok(pthread_mutex_unlock(&mutex));
		join(&waiter);
		assert_string_equal(notes(), "(w");
		_exit(7);
	}
	assert_int_equal(status_of(child), 7);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		interrupted_test(one_that_forks),
		interrupted_test(one_that_forks_without_handlers),
		interrupted_test(one_that_sets_scheduling),
		interrupted_test(one_that_waits_for_another_thread),
		interrupted_test(the_child_of_fork_without_handlers),
	};

	return cmocka_run_group_tests_name("interrupted", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
