/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The semaphore: every error. Threads and handlers that the library does not know may post. */
#include "team.h"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

enum { MS = 1000000 };

static plf_sem_t sem;

/* Stands for ThreadSanitizer's function. The library looks for it by name. */
static const void *acquired;
static int acquisitions;

void __tsan_acquire(void *address);
void __tsan_acquire(void *address)
{
	acquired = address;
	acquisitions++;
}

static int setup(void **state)
{
	assert_ok(plf_sem_init(&sem, 0));
	return attach_main(state);
}

#define sem_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void wait_unattached(void *unused)
{
	(void)unused;
	assert_int_equal(plf_sem_wait(&sem), EPERM);
	assert_int_equal(plf_sem_timedwait(&sem, 1), EPERM);
}

static void errors_are_returned_and_errno_is_left_alone(void **state)
{
	plf_sem_t other;
	struct member stranger;
	uint64_t until = plf_now() + 5 * MS;

	(void)state;
	errno = 77;
	assert_int_equal(plf_sem_init(&other, SEM_VALUE_MAX + 1U), EINVAL);
	assert_int_equal(plf_sem_trywait(&sem), EAGAIN);
	assert_int_equal(plf_sem_timedwait(&sem, until), ETIMEDOUT);
	assert_true(plf_now() >= until);
	assert_ok(plf_sem_init(&other, SEM_VALUE_MAX));
	assert_int_equal(plf_sem_post(&other), EOVERFLOW);
	assert_ok(plf_sem_destroy(&other));
	assert_int_equal(errno, 77);
	start_stranger(&stranger, 50, wait_unattached, NULL);
	join(&stranger);
}

static void values_are_counted(void **state)
{
	(void)state;
	assert_ok(plf_sem_post(&sem));
	assert_ok(plf_sem_post(&sem));
	assert_ok(plf_sem_post(&sem));
	assert_ok(plf_sem_wait(&sem));
	assert_ok(plf_sem_timedwait(&sem, 1));
	assert_ok(plf_sem_trywait(&sem));
	assert_int_equal(plf_sem_trywait(&sem), EAGAIN);
	assert_ok(plf_sem_destroy(&sem));
}

/* ThreadSanitizer does not intercept sem_clockwait(), so the library reports the acquisition. */
static void sanitizer_learns_of_timed_waits(void **state)
{
	(void)state;
	acquisitions = 0;
	assert_int_equal(plf_sem_timedwait(&sem, 1), ETIMEDOUT);
	assert_int_equal(acquisitions, 0);
	assert_ok(plf_sem_post(&sem));
	assert_ok(plf_sem_timedwait(&sem, 1));
	assert_int_equal(acquisitions, 1);
	assert_ptr_equal(acquired, &sem);
}

static void post(void *unused)
{
	(void)unused;
	sleep_ms(2);
	assert_ok(plf_sem_post(&sem));
}

static void strangers_may_post(void **state)
{
	struct member stranger;

	(void)state;
	for (int timed = 0; timed < 2; timed++) {
		start_stranger(&stranger, 0, post, NULL);
		assert_ok(timed ? plf_sem_timedwait(&sem, plf_now() + 20000ULL * MS)
				: plf_sem_wait(&sem));
		join(&stranger);
	}
}

static void post_in_handler(int number)
{
	if (number == SIGUSR2)
		plf_sem_post(&sem);
}

static volatile bool wait_is_over;

/* Send the signal repeatedly, because on a slow machine the first may come before the wait. */
static void interrupt(void *number)
{
	do {
		sleep_ms(2);
		assert_ok(kill(getpid(), *(int *)number));
	} while (!wait_is_over);
}

/* Only the waiter takes the signals. */
static void send(struct member *sender, int *number)
{
	sigset_t set;

	wait_is_over = false;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	assert_ok(pthread_sigmask(SIG_BLOCK, &set, NULL));
	start_stranger(sender, 20, interrupt, number);
	assert_ok(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

static void signal_is_eintr(void **state)
{
	struct sigaction action = { .sa_handler = post_in_handler };
	int number = SIGUSR1;
	struct member sender;

	(void)state;
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	for (int timed = 0; timed < 2; timed++) {
		send(&sender, &number);
		assert_int_equal(timed ? plf_sem_timedwait(&sem, plf_now() + 20000ULL * MS)
				       : plf_sem_wait(&sem),
				 EINTR);
		wait_is_over = true;
		join(&sender);
	}
}

static void handlers_may_post(void **state)
{
	struct sigaction action = { .sa_handler = post_in_handler, .sa_flags = SA_RESTART };
	int number = SIGUSR2;
	struct member sender;

	(void)state;
	assert_ok(sigaction(SIGUSR2, &action, NULL));
	send(&sender, &number);
	assert_ok(plf_sem_wait(&sem));
	wait_is_over = true;
	join(&sender);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		sem_test(errors_are_returned_and_errno_is_left_alone),
		sem_test(values_are_counted),
		sem_test(sanitizer_learns_of_timed_waits),
		sem_test(strangers_may_post),
		sem_test(signal_is_eintr),
		sem_test(handlers_may_post),
	};

	return cmocka_run_group_tests_name("semaphore", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
