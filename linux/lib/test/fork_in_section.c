/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* fork() inside a section: the child owns the locks that its only thread held, and nothing else. */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

enum { FORKER = 50, SLEEPER = 20, WAITER = 55 };

static plf_mutex_t held, deep, others;
static plf_cond_t cond;
static sem_t ready, go;
static struct member waiter;

static int setup(void **state)
{
	assert_ok(sem_init(&ready, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	assert_ok(plf_mutex_init(&held, 60));
	assert_ok(plf_mutex_init(&deep, 60));
	assert_ok(plf_mutex_init(&others, 25));
	plf_cond_init(&cond);
	forget_notes();
	(void)state;
	return plf_attach(FORKER, 0, test_flags);
}

static void take_over(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	assert_ok(plf_mutex_lock(&held));
	note('w');
	assert_ok(plf_mutex_unlock(&held));
	assert_ok(plf_get_stats(&stats));
	if (on_ceiling_stack())
		assert_int_equal(stats.gate_waits, 1);
}

/* The gates name the child's TID. So a waiter sleeps on them, and the sections end in order. */
static void go_on_in_the_child(void)
{
	assert_int_equal(plf_mutex_lock(&held), EDEADLK);
	start(&waiter, WAITER, take_over, NULL);
	note('d');
	assert_ok(plf_mutex_unlock(&deep));
	note('h');
	assert_ok(plf_mutex_unlock(&held));
	join(&waiter);
	assert_string_equal(notes(), "dhw");
	assert_int_equal(kernel_priority(gettid()), FORKER);
	assert_ok(plf_mutex_lock(&held));
	assert_ok(plf_mutex_unlock(&held));
}

static void own_sections_go_on(void **state)
{
	(void)state;
	assert_ok(plf_mutex_lock(&held));
	assert_ok(plf_mutex_lock(&deep));
	assert_ok(in_child(go_on_in_the_child));
	go_on_in_the_child(); /* the parent is not affected */
}

static void sleep_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&others));
	assert_ok(sem_post(&ready));
	assert_ok(sem_wait(&go));
	assert_ok(plf_mutex_unlock(&others));
}

static void wait_for_signal(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&others));
	assert_ok(sem_post(&ready));
	assert_ok(plf_cond_wait(&cond, &others));
	assert_ok(plf_mutex_unlock(&others));
}

static void inherit_nothing(void)
{
	assert_ok(plf_mutex_unlock(&held));
	assert_ok(plf_detach());
	assert_ok(plf_attach(SLEEPER, 0, test_flags));
	assert_int_equal(plf_mutex_lock(&others), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&others));
	assert_ok(plf_mutex_unlock(&others));
	assert_ok(plf_mutex_lock(&others));
	assert_ok(plf_mutex_unlock(&others));
	assert_ok(plf_cond_signal(&cond));
	assert_ok(plf_cond_destroy(&cond));
}

static void others_sections_are_dead_in_the_child(void **state)
{
	struct member sleeper, listener;

	(void)state;
	start(&listener, SLEEPER, wait_for_signal, NULL);
	assert_ok(sem_wait(&ready));
	start(&sleeper, SLEEPER, sleep_inside, NULL);
	assert_ok(sem_wait(&ready));
	assert_ok(plf_mutex_lock(&held));
	assert_ok(in_child(inherit_nothing));
	assert_ok(plf_mutex_unlock(&held));
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
	assert_ok(sem_post(&go));
	join(&sleeper);
	assert_ok(plf_cond_signal(&cond));
	join(&listener);
	assert_ok(plf_cond_destroy(&cond));
}

static void start_afresh(void)
{
	assert_string_equal(plf_backend(), "none");
	assert_ok(plf_attach(SLEEPER, 0, test_flags));
	assert_int_equal(plf_mutex_lock(&others), EOWNERDEAD);
	assert_ok(plf_mutex_unlock(&others));
	assert_ok(plf_detach());
}

static void fork_while_held(void *unused)
{
	(void)unused;
	assert_ok(in_child(start_afresh));
}

static void unattached_thread_forks(void **state)
{
	struct member sleeper, stranger;

	(void)state;
	start(&sleeper, SLEEPER, sleep_inside, NULL);
	assert_ok(sem_wait(&ready));
	start_stranger(&stranger, 70, fork_while_held, NULL);
	join(&stranger);
	assert_ok(sem_post(&go));
	join(&sleeper);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup_teardown(own_sections_go_on, setup, detach_main),
		cmocka_unit_test_setup_teardown(others_sections_are_dead_in_the_child, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(unattached_thread_forks, setup, detach_main),
	};

	return cmocka_run_group_tests_name("fork in a section", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
