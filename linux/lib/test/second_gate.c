/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A holder that sleeps in its section lets a less urgent thread queue at its gate. It leaves, and
 * enters again before that thread runs. Then the gate belongs to a thread that cannot run. A more
 * urgent thread must still wait for the holder, lend it its priority, and not go round in circles.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

enum { WAITER = 20, HOLDER = 30, URGENT = 40, CEILING = 50 };

static plf_mutex_t mutex;
static sem_t holder_may, urgent_may; /* not plf_sem_t, which has the hook */
static int holder_tid;
static const struct plf_thread *place; /* the holder's; it outlives the thread */

static void hold_twice(void *unused)
{
	(void)unused;
	holder_tid = gettid();
	place = plf_self;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(sem_wait(&holder_may));
	note('(');
	assert_ok(plf_mutex_unlock(&mutex)); /* the gate goes to the waiter, which does not run */
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(kernel_priority(holder_tid), HOLDER);
	assert_ok(sem_post(&urgent_may));
	note('h');
	assert_int_equal(kernel_priority(holder_tid), URGENT);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(holder_tid), HOLDER);
	note(')');
}

static void come_urgently(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	for (int round = 0; round < 2; round++) {
		assert_ok(sem_wait(&urgent_may));
		assert_ok(plf_wake_hook());
		note('u');
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(plf_mutex_unlock(&mutex));
	}
	assert_ok(plf_get_stats(&stats));
	assert_int_equal(stats.gate_waits, 1);
}

static void wait_below(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex)); /* attach has waited already */
	assert_ok(plf_mutex_unlock(&mutex));
	note('w');
}

static void urgent_thread_waits_for_the_holder(void **state)
{
	struct member holder, waiter, urgent;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, CEILING));
	assert_ok(sem_init(&holder_may, 0, 0));
	assert_ok(sem_init(&urgent_may, 0, 0));
	start(&urgent, URGENT, come_urgently, NULL);
	start(&holder, HOLDER, hold_twice, NULL);
	start(&waiter, WAITER, wait_below, NULL);
	assert_ok(sem_post(&holder_may));
	join(&holder);
	join(&waiter);
	assert_int_equal(place->frame[0].gate.word, 0);
	assert_int_equal(place->frame[0].second.word, 0);
	assert_ok(sem_post(&urgent_may)); /* nothing of the first round is left */
	join(&urgent);
	assert_string_equal(notes(), "(hu)wu");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

/* If a gate names a thread that is gone, the thread that finds it opens it. */
static void stale_gate_is_opened(void **state)
{
	struct member urgent;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, CEILING));
	assert_ok(sem_init(&urgent_may, 0, 0));
	start(&urgent, URGENT, come_urgently, NULL);
	assert_ok(plf_mutex_lock(&mutex));
	plf_self->frame[0].gate.word = PLF_TID_MASK; /* no TID: above the kernel's highest */
	assert_ok(sem_post(&urgent_may));
	note('h');
	assert_int_equal(kernel_priority(gettid()), URGENT);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(sem_post(&urgent_may));
	join(&urgent);
	assert_string_equal(notes(), "huu");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(urgent_thread_waits_for_the_holder),
		team_test(stale_gate_is_opened),
	};

	return cmocka_run_group_tests_name("second gate", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
