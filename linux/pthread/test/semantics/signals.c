/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Signal handlers in sections and in waits. After the handler a wait for a mutex or a condition
 * goes on, and a section goes on at its ceiling.
 */
#include "../../../real_time/test/patience.h"
#include "team.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static sem_t sem;
static bool may_go;

static void handle(int signal)
{
	UNUSED(signal);
	note('!');
}

static int setup(void **state)
{
	const struct sigaction action = { .sa_handler = handle }; /* no SA_RESTART */

	may_go = false;
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	assert_ok(sem_init(&sem, 0, 0));
	assert_ok(pthread_cond_init(&cond, NULL));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define signal_test(f) cmocka_unit_test_setup(f, setup)

static void lock(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	note('l');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
}

static void timedlock(void *unused)
{
	struct timespec end = in_ms(CLOCK_REALTIME, PLF_HUNG_S * 1000);

	UNUSED(unused);
	assert_ok(pthread_mutex_timedlock(&mutex, &end));
	note('l');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
}

static void a_lock_goes_on(void **state)
{
	void (*const locks[])(void *) = { lock, timedlock };
	struct member member;

	UNUSED(state);
	for (int i = 0; i < 2; i++) {
		forget_notes();
		assert_ok(pthread_mutex_lock(&mutex));
		start(&member, 20, locks[i], NULL);
		for (size_t j = 0; j < 3; j++) {
			await_sleep(&member);
			assert_ok(pthread_kill(member.thread, SIGUSR1));
			while (strlen(notes()) <= j)
				sleep_ms(1);
		}
		await_sleep(&member);
		assert_string_equal(notes(), "!!!");
		assert_ok(pthread_mutex_unlock(&mutex));
		join(&member);
		assert_string_equal(notes(), "!!!l");
	}
}

static void wait_to_go(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	while (!may_go)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	assert_int_equal(effective_priority(), 40);
	note('w');
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void a_condition_wait_goes_on(void **state)
{
	struct member member;

	UNUSED(state);
	start(&member, 20, wait_to_go, NULL);
	for (int j = 0; j < 3; j++)
		assert_ok(pthread_kill(member.thread, SIGUSR1));
	assert_string_equal(notes(), "!!!");
	assert_ok(pthread_mutex_lock(&mutex));
	may_go = true;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "!!!w");
	join(&member);
}

static void wait_inside(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(sem_wait(&sem), -1);
	assert_int_equal(errno, EINTR);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
	note('w');
}

static void other_waits_are_interrupted(void **state)
{
	struct member member;

	UNUSED(state);
	start(&member, 20, wait_inside, NULL);
	assert_ok(pthread_kill(member.thread, SIGUSR1));
	join(&member);
	assert_string_equal(notes(), "!w");
}

/* A handler that sleeps, in the section and in the middle of lock and unlock. */
static void sleep_in_handler(int signal)
{
	struct timespec time = { .tv_nsec = 1000 };

	UNUSED(signal);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
	sem_post(&sem);
}

static _Atomic bool over;

static void lock_again_and_again(void *unused)
{
	UNUSED(unused);
	while (!over) {
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
	assert_int_equal(effective_priority(), 20);
}

/* A covered thread that needs the CPU now and then. */
static void take_turns(void *unused)
{
	UNUSED(unused);
	while (!over) {
		assert_ok(sem_wait(&sem));
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

static void send_signals(void *target)
{
	for (int i = 0; i < 1000; i++) {
		assert_ok(pthread_kill(((struct member *)target)->thread, SIGUSR2));
		usleep(20 + (unsigned)i % 30);
	}
	over = true;
	assert_ok(sem_post(&sem));
}

static void a_handler_that_sleeps_anywhere(void **state)
{
	const struct sigaction action = { .sa_handler = sleep_in_handler, .sa_flags = SA_RESTART };
	struct member member, covered, sender;

	UNUSED(state);
	over = false;
	assert_ok(sigaction(SIGUSR2, &action, NULL));
	pin(0, 1);
	start(&covered, 30, take_turns, NULL);
	start(&member, 20, lock_again_and_again, NULL);
	start_on(&sender, 1, 50, send_signals, &member);
	join(&sender);
	join(&member);
	join(&covered);
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		signal_test(a_lock_goes_on),
		signal_test(a_condition_wait_goes_on),
		signal_test(other_waits_are_interrupted),
		signal_test(a_handler_that_sleeps_anywhere),
	};

	return cmocka_run_group_tests_name("signals", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
