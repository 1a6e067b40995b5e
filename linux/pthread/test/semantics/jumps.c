/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A signal handler does not return, but jumps out of a call that sleeps, as a time limit does. The
 * call may be waiting for a section that covers its thread. After the jump the thread waits, locks,
 * and is covered as before.
 */
#include "enter_kernel.h"
#include "team.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { URGENT = 20 };

static pthread_mutex_t mutex, other;
static sigjmp_buf out;
static _Atomic bool is_inside, is_ready, over;
static _Atomic int jumps;

static void jump(int number)
{
	siglongjmp(out, number);
}

static void wake(int number)
{
	UNUSED(number);
}

static int setup(void **state)
{
	const struct sigaction jumping = { .sa_handler = jump };
	const struct sigaction waking = { .sa_handler = wake };

	is_inside = is_ready = over = false;
	jumps = 0;
	assert_ok(sigaction(SIGUSR1, &jumping, NULL));
	assert_ok(sigaction(SIGUSR2, &waking, NULL));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&other, 40, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define jump_test(f) cmocka_unit_test_setup(f, setup)

/* ---- Afterwards ---------------------------------------------------------- */

/* The thread never runs while a section with a higher ceiling is open. */
static void look_often(void)
{
	for (int i = 0; i < 20; i++) {
		poll(NULL, 0, 1);
		assert_false(is_inside);
	}
	assert_int_equal(base_priority(), URGENT);
	assert_ok(pthread_mutex_lock(&other));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&other));
	assert_int_equal(effective_priority(), URGENT);
	over = true;
}

static void hold_for_us(unsigned us)
{
	assert_ok(pthread_mutex_lock(&mutex));
	is_inside = true;
	stay_busy_us(us);
	is_inside = false;
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void hold_often(void)
{
	while (!over) {
		hold_for_us(1000);
		poll(NULL, 0, 1);
	}
}

/* ---- Out of a wait for a section ----------------------------------------- */

static void jump_out_of_poll(void *unused)
{
	UNUSED(unused);
	if (sigsetjmp(out, 1) == 0) {
		is_ready = true;
		poll(NULL, 0, 2000);
	}
	look_often();
}

/* The library does not see the end of this sleep, so the lock waits for the section. */
static void jump_out_of_covered_lock(void *unused)
{
	static const long for_ever[6] = { 0 };

	UNUSED(unused);
	if (sigsetjmp(out, 1) == 0) {
		plf_enter_kernel(SYS_ppoll, for_ever);
		assert_ok(pthread_mutex_lock(&other));
		assert_ok(pthread_mutex_unlock(&other));
	}
	look_often();
}

/* poll() ends while the section covers its thread. Then the time limit comes. */
static void out_of(void (*body)(void *))
{
	struct member urgent;

	start(&urgent, URGENT, body, NULL);
	await_sleep(&urgent);
	assert_ok(pthread_mutex_lock(&mutex));
	is_inside = true;
	assert_ok(pthread_kill(urgent.thread, SIGUSR2));
	stay_busy_us(500);
	assert_ok(pthread_kill(urgent.thread, SIGUSR1));
	stay_busy_us(500);
	is_inside = false;
	assert_ok(pthread_mutex_unlock(&mutex));
	hold_often();
	join(&urgent);
}

static void out_of_a_wait_for_a_section(void **state)
{
	UNUSED(state);
	out_of(jump_out_of_poll);
}

static void out_of_a_lock_that_waits_for_a_section(void **state)
{
	UNUSED(state);
	out_of(jump_out_of_covered_lock);
}

/* ---- Out of a wait for a mutex: undefined, and glibc keeps the ceiling then ---- */

static void jump_out_of_lock(void *unused)
{
	UNUSED(unused);
	if (sigsetjmp(out, 1) == 0) {
		is_ready = true;
		pthread_mutex_lock(&mutex);
		assert_true(false);
	}
	look_often();
}

static void out_of_a_wait_for_a_mutex(void **state)
{
	struct member urgent;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&urgent, URGENT, jump_out_of_lock, NULL);
	await_sleep(&urgent); /* by now the mutex has no frame */
	assert_ok(pthread_kill(urgent.thread, SIGUSR1));
	is_inside = false;
	assert_ok(pthread_mutex_unlock(&mutex));
	hold_often();
	join(&urgent);
}

/* ---- Out of anything ----------------------------------------------------- */

static void sleep_inside_and_outside(void)
{
	const struct timespec moment = { .tv_nsec = 20000 };

	nanosleep(&moment, NULL);
	if (sigsetjmp(out, 1) != 0)
		jumps++;
	is_ready = true;
	nanosleep(&moment, NULL);
	is_ready = false;
}

/* The jump must happen only in the sleep. Elsewhere the handler returns. */
static void jump_if_ready(int number)
{
	if (is_ready)
		siglongjmp(out, number);
}

static void be_jumped(void *unused)
{
	const struct sigaction action = { .sa_handler = jump_if_ready };

	UNUSED(unused);
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	while (!over) {
		assert_ok(pthread_mutex_lock(&other));
		sleep_inside_and_outside();
		assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_mutex_unlock(&other));
		sleep_inside_and_outside();
	}
	assert_int_equal(effective_priority(), URGENT);
	look_often();
}

static void send(void *argument)
{
	const struct member *member = argument;

	while (member->tid == 0)
		usleep(100);
	for (unsigned i = 0; i < 200; i++) {
		usleep(50 + i * 7 % 60);
		assert_ok(pthread_kill(member->thread, SIGUSR1));
	}
	usleep(1000);
	over = true;
}

static void out_of_sleeps_anywhere(void **state)
{
	struct member urgent, sender;

	UNUSED(state);
	urgent.tid = 0;
	start_on(&sender, 1, 50, send, &urgent);
	start(&urgent, URGENT, be_jumped, NULL);
	while (!over)
		hold_for_us(20);
	join(&sender);
	join(&urgent);
	assert_true(jumps > 0);
	assert_ok(pthread_mutex_trylock(&other));
	assert_ok(pthread_mutex_unlock(&other));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		jump_test(out_of_a_wait_for_a_section),
		jump_test(out_of_a_lock_that_waits_for_a_section),
		jump_test(out_of_sleeps_anywhere),
	};
	const struct CMUnitTest ours[] = { jump_test(out_of_a_wait_for_a_mutex) };

	if (on_plafond() && cmocka_run_group_tests_name("jumps", ours, NULL, NULL) != 0)
		return 1;
	return cmocka_run_group_tests_name("jumps", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
