/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Under the kernel module, a mutex is found held only if its holder sleeps inside. A thread that
 * comes then sleeps on a gate of the holder's section. Sleepers go on by priority, even if the
 * holder enters and sleeps again before they could run.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

enum { HOLDER = 30, CEILING = 50, ROUNDS = 3 };

static plf_mutex_t outer, mutex;
static sem_t holder_may; /* not plf_sem_t, which has the hook */
static struct member holder, waiter[ROUNDS];
static const struct plf_thread *place; /* the holder's; it outlives the thread */

static int setup(void **state)
{
	assert_ok(plf_mutex_init(&outer, CEILING));
	assert_ok(plf_mutex_init(&mutex, CEILING));
	assert_ok(sem_init(&holder_may, 0, 0));
	return attach_main(state);
}

#define holder_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void sleep_inside(void *rounds)
{
	place = plf_self;
	for (int i = 0; i < *(int *)rounds; i++) {
		assert_ok(plf_mutex_lock(&mutex));
		note('(');
		assert_ok(sem_wait(&holder_may));
		note(')');
		assert_ok(plf_mutex_unlock(&mutex));
		assert_int_equal(kernel_priority(gettid()), HOLDER);
	}
}

static uint64_t gate_waits(void)
{
	struct plf_stats stats;

	assert_ok(plf_get_stats(&stats));
	return stats.gate_waits;
}

static void come(void *name)
{
	assert_ok(plf_mutex_lock(&mutex));
	note(*(char *)name);
	assert_true(gate_waits() >= 1);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void expect_open_gates(void)
{
	for (size_t i = 0; i < PLF_FRAMES; i++) {
		assert_int_equal(place->frame[i].gate.word, 0);
		assert_int_equal(place->frame[i].second.word, 0);
	}
}

static void waiters_go_on_by_priority(void **state)
{
	int rounds = 1;

	(void)state;
	start(&holder, HOLDER, sleep_inside, &rounds);
	start(&waiter[0], 20, come, "a");
	start(&waiter[1], 50, come, "c");
	start(&waiter[2], 40, come, "b");
	assert_int_equal(kernel_priority(holder.tid), CEILING);
	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(plf_mutex_setceiling(&mutex, 60, NULL), EBUSY);
	assert_string_equal(notes(), "(");
	assert_ok(sem_post(&holder_may));
	for (int i = 0; i < 3; i++)
		join(&waiter[i]);
	join(&holder);
	assert_string_equal(notes(), "()cba");
	expect_open_gates();
}

/* The waiters have had the gate since the section before. Still no cycle arises. */
static void holder_sleeps_again(void **state)
{
	int rounds = ROUNDS;

	(void)state;
	start(&holder, HOLDER, sleep_inside, &rounds);
	start(&waiter[0], 20, come, "a");
	start(&waiter[1], 20, come, "b");
	assert_ok(sem_post(&holder_may)); /* leaves, enters, sleeps; the waiters come again */
	assert_string_equal(notes(), "()(");
	start(&waiter[2], 40, come, "c");
	assert_ok(sem_post(&holder_may));
	assert_string_equal(notes(), "()()c(");
	assert_ok(sem_post(&holder_may));
	for (int i = 0; i < 3; i++)
		join(&waiter[i]);
	join(&holder);
	assert_string_equal(notes(), "()()c()ab");
	expect_open_gates();
}

static void come_from_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_mutex_lock(&mutex));
	note('n');
	assert_int_equal(plf_mutex_unlock(&outer), EPERM);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(gettid()), 20);
}

/* A thread waits inside another section, which stays protected meanwhile. */
static void waiter_is_inside_another_section(void **state)
{
	struct member late;
	int rounds = 1;

	(void)state;
	start(&holder, HOLDER, sleep_inside, &rounds);
	start(&waiter[0], 20, come_from_inside, NULL);
	assert_int_equal(kernel_priority(waiter[0].tid), CEILING);
	assert_int_equal(plf_mutex_trylock(&outer), EBUSY);
	start(&late, 40, come, "l");
	assert_ok(sem_post(&holder_may));
	join(&waiter[0]);
	join(&late);
	join(&holder);
	assert_string_equal(notes(), "()nl");
	expect_open_gates();
}

static void lock_as_holder_of_another(void *unused)
{
	plf_mutex_t unused_yet = PLF_MUTEX_INITIALIZER(HOLDER);

	(void)unused;
	assert_ok(plf_mutex_lock(&outer));
	assert_int_equal(plf_mutex_trylock(&outer), EDEADLK);
	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY); /* held by a thread that claims more */
	assert_ok(plf_mutex_lock(&unused_yet));
	assert_ok(plf_mutex_unlock(&unused_yet));
	assert_ok(plf_mutex_unlock(&outer));
}

/* For each ceiling of the outer section, the held inner mutex is refused and not taken. */
static void no_claim_reaches_a_held_mutex(void **state)
{
	int rounds = 1;

	(void)state;
	for (int ceiling = HOLDER; ceiling <= CEILING; ceiling++) {
		struct member other;

		assert_ok(plf_mutex_init(&outer, ceiling));
		start(&holder, HOLDER, sleep_inside, &rounds);
		start(&other, HOLDER, lock_as_holder_of_another, NULL);
		join(&other);
		assert_ok(sem_post(&holder_may));
		join(&holder);
	}
}

static void post_to_the_highest(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	note('(');
	assert_ok(sem_post(&holder_may));
	note(')');
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), HOLDER);
}

static void come_at_the_highest(void *unused)
{
	(void)unused;
	assert_ok(sem_wait(&holder_may));
	assert_ok(plf_mutex_lock(&mutex));
	note('T');
	assert_ok(plf_mutex_unlock(&mutex));
}

/*
 * No priority is above 99, so the holder runs behind threads of that base. Exclusion still holds.
 */
static void ceiling_99_excludes(void **state)
{
	(void)state;
	assert_ok(plf_mutex_init(&mutex, 99));
	start(&waiter[0], 99, come_at_the_highest, NULL);
	start(&holder, HOLDER, post_to_the_highest, NULL);
	join(&holder);
	join(&waiter[0]);
	assert_string_equal(notes(), "()T");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		holder_test(waiters_go_on_by_priority),
		holder_test(holder_sleeps_again),
		holder_test(waiter_is_inside_another_section),
		holder_test(no_claim_reaches_a_held_mutex),
		holder_test(ceiling_99_excludes),
	};

	return cmocka_run_group_tests_name("suspended holder", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
