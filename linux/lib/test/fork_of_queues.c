/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The queue of a condition in the child of fork(): intact, and without the parent's waiters. */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

enum { FORKER = 50, SLEEPER = 20, ABOVE = 55, CEILING = 60 };

static plf_mutex_t mutex;
static plf_cond_t cond;
static sem_t ready, go;

static int setup(void **state)
{
	assert_ok(sem_init(&ready, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	assert_ok(plf_mutex_init(&mutex, CEILING));
	plf_cond_init(&cond);
	forget_notes();
	(void)state;
	return plf_attach(FORKER, 0, test_flags);
}

#define fork_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void wait_for_signal(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_cond_wait(&cond, &mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void wait_in_the_child(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_cond_wait(&cond, &mutex));
	note('c');
	assert_ok(plf_mutex_unlock(&mutex));
}

/* The parent's waiters are more urgent, but do not wait in the child. */
static void signal_in_the_child(void)
{
	struct member own;

	start(&own, ABOVE, wait_in_the_child, NULL);
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
	assert_ok(plf_cond_signal(&cond));
	join(&own);
	assert_string_equal(notes(), "c");
	assert_ok(plf_cond_destroy(&cond));
}

static void destroy_in_the_child(void)
{
	assert_ok(plf_cond_destroy(&cond));
	assert_int_equal(plf_cond_signal(&cond), EINVAL);
}

static void destroy_in_the_grandchild(void)
{
	struct member own;

	start(&own, ABOVE, wait_in_the_child, NULL);
	assert_ok(in_child(destroy_in_the_child));
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
	assert_ok(plf_cond_signal(&cond));
	join(&own);
}

static void waiters_are_their_own_process(void **state)
{
	struct member listener[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		start(&listener[i], ABOVE + 1 + i, wait_for_signal, NULL);
	assert_ok(in_child(signal_in_the_child));
	assert_ok(in_child(destroy_in_the_child));
	assert_ok(in_child(destroy_in_the_grandchild));
	assert_int_equal(plf_cond_destroy(&cond), EBUSY);
	assert_ok(plf_cond_broadcast(&cond));
	for (int i = 0; i < 2; i++)
		join(&listener[i]);
	assert_ok(plf_cond_destroy(&cond));
}

static void sleep_in_the_queue(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&cond.queue_lock));
	assert_ok(sem_post(&ready));
	assert_ok(sem_wait(&go));
	assert_ok(plf_mutex_unlock(&cond.queue_lock));
}

static void use_the_queue_of_the_dead(void)
{
	assert_ok(plf_cond_signal(&cond));
	assert_ok(plf_cond_broadcast(&cond));
	signal_in_the_child();
}

/* The parent forks while another thread is in the section of the condition's queue. */
static void queue_is_repaired_in_the_child(void **state)
{
	struct member sleeper;

	(void)state;
	start(&sleeper, SLEEPER, sleep_in_the_queue, NULL);
	assert_ok(sem_wait(&ready));
	assert_ok(in_child(use_the_queue_of_the_dead));
	assert_ok(sem_post(&go));
	join(&sleeper);
	assert_ok(plf_cond_signal(&cond));
}

/* The first call in the child has no section left for the queue. */
static void call_in_vain(void)
{
	plf_mutex_t open[PLF_DEPTH_MAX];
	plf_cond_t before = cond;

	for (int i = 0; i < PLF_DEPTH_MAX; i++) {
		assert_ok(plf_mutex_init(&open[i], CEILING));
		assert_ok(plf_mutex_lock(&open[i]));
	}
	assert_int_equal(plf_cond_signal(&cond), EAGAIN);
	assert_int_equal(memcmp(&cond, &before, sizeof(cond)), 0);
	for (int i = PLF_DEPTH_MAX - 1; i >= 0; i--)
		assert_ok(plf_mutex_unlock(&open[i]));
	assert_ok(plf_cond_signal(&cond));
}

static void refused_call_leaves_the_queue_alone(void **state)
{
	struct member listener;

	(void)state;
	start(&listener, ABOVE, wait_for_signal, NULL);
	assert_ok(in_child(call_in_vain));
	assert_ok(plf_cond_signal(&cond));
	join(&listener);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		fork_test(waiters_are_their_own_process),
		fork_test(queue_is_repaired_in_the_child),
		fork_test(refused_call_leaves_the_queue_alone),
	};

	return cmocka_run_group_tests_name("fork of queues", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
