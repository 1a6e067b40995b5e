/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A holder of a mutex across CPUs dies: the next one of all CPUs learns it, also where threads of
 * two CPUs wait, where none does, and in a child of fork().
 */
#include "team.h"

#include <plafond/slow.h>

#include <semaphore.h>
#include <unistd.h>

static plf_mutex_t mutex;
static sem_t held, go;
static void (*end)(void);
static struct plf_thread *place; /* of a holder */

static int setup(void **state)
{
	plf_mutex_init_global(&mutex);
	assert_ok(sem_init(&held, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	return attach_main(state);
}

static void return_inside(void)
{
}

static void vanish_inside(void)
{
	vanish();
}

static void hold_and_die(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	end();
}

static void hold_and_leave(void *unused)
{
	(void)unused;
	place = plf_self;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void repair(void *letter)
{
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	note(*(const char *)letter);
	assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void go_on(void *letter)
{
	assert_ok(plf_mutex_lock(&mutex));
	note(*(const char *)letter);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* A thread of that CPU dies with the mutex; none waits. */
static void die_on(int cpu)
{
	struct member victim;

	start_on(&victim, cpu, 20, hold_and_die, NULL);
	sem_wait(&held);
	sem_post(&go);
	join(&victim);
}

static void die_alone(void)
{
	for (int cpu = 0; cpu < 2; cpu++) {
		die_on(cpu);
		repair("a");
		assert_int_equal(kernel_priority(gettid()), LOW);
	}
}

static void is_seen_by_the_next_locker(void **state)
{
	(void)state;
	end = return_inside;
	die_alone();
	end = vanish_inside;
	die_alone();
}

/* The kernel's flag stays in the word of a holder behind which none waits any more. */
static void granted_and_dead(void)
{
	struct member holder, victim;

	start_on(&holder, 0, 20, hold_and_leave, NULL);
	sem_wait(&held);
	start_on(&victim, 1, 21, hold_and_die, NULL);
	await_asleep(&victim);
	sem_post(&go);
	join(&holder);
	sem_wait(&held);
	sem_post(&go);
	join(&victim);
	assert_int_equal(plf_mutex_trylock(&mutex), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void of_a_granted_waiter_is_seen(void **state)
{
	(void)state;
	end = return_inside;
	granted_and_dead();
	end = vanish_inside;
	granted_and_dead();
}

/* The holder is on CPU 1, where one stood in line before it was granted the mutex. */
static void die_before_waiters(void)
{
	struct member first, victim, here, there;

	forget_notes();
	start_on(&first, 0, 30, hold_and_leave, NULL);
	sem_wait(&held);
	start_on(&victim, 1, 40, hold_and_die, NULL);
	await_asleep(&victim);
	start_on(&there, 1, 20, go_on, (void *)(uintptr_t) "1");
	await_asleep(&there);
	sem_post(&go);
	join(&first);
	sem_wait(&held);
	start_on(&here, 0, 25, repair, (void *)(uintptr_t) "0");
	await_asleep(&here);
	sem_post(&go);
	join(&victim);
	join(&here);
	join(&there);
	assert_string_equal(notes(), "01");
}

static void is_seen_by_the_most_urgent_waiter(void **state)
{
	(void)state;
	end = return_inside;
	die_before_waiters();
	end = vanish_inside;
	die_before_waiters();
}

static void wait_for_go(void *unused)
{
	(void)unused;
	sem_wait(&go);
}

/* After those of the keys that are older. */
static void hold_and_end_slowly(void *key)
{
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(pthread_setspecific(*(pthread_key_t *)key, key));
	sem_post(&held);
	sem_wait(&go);
}

/* A thread whose last destructors run holds nothing any more. */
static void is_reported_before_the_end_is_over(void **state)
{
	struct member victim, waiter;
	pthread_key_t key;

	(void)state;
	assert_ok(pthread_key_create(&key, wait_for_go));
	start_on(&victim, 1, 20, hold_and_end_slowly, &key);
	sem_wait(&held);
	start_on(&waiter, 0, 21, repair, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	sem_post(&go);
	join(&waiter);
	sem_post(&go);
	join(&victim);
	assert_ok(pthread_key_delete(key));
}

static void find_it_beyond_repair(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), ENOTRECOVERABLE);
	assert_int_equal(plf_mutex_trylock(&mutex), ENOTRECOVERABLE);
}

static void unrepaired_is_not_recoverable(void **state)
{
	struct member finder[2];

	(void)state;
	end = vanish_inside;
	die_on(1);
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	start_on(&finder[0], 1, 20, find_it_beyond_repair, NULL);
	await_asleep(&finder[0]);
	start_on(&finder[1], 1, 21, find_it_beyond_repair, NULL);
	await_asleep(&finder[1]);
	assert_ok(plf_mutex_unlock(&mutex));
	for (int i = 0; i < 2; i++)
		join(&finder[i]);
	assert_int_equal(plf_mutex_consistent(&mutex), EINVAL);
	find_it_beyond_repair(NULL);
	assert_ok(plf_mutex_destroy(&mutex));
	plf_mutex_init_global(&mutex);
	go_on("g");
}

/* A dead holder's repairer dies, too. */
static void repairer_dies(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	vanish();
}

static void of_the_repairer_is_seen(void **state)
{
	struct member victim;

	(void)state;
	end = vanish_inside;
	die_on(1);
	start_on(&victim, 1, 20, repairer_dies, NULL);
	join(&victim);
	repair("r");
}

/* ---- fork() ------------------------------------------------------------- */

static void go_on_in_the_child(void)
{
	struct member waiter;

	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	start_on(&waiter, 1, 30, go_on, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	assert_int_equal(kernel_priority(gettid()), PLF_GLOBAL_BAND + 30);
	note('c');
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
	assert_string_equal(notes(), "cw");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void own_sections_go_on_in_a_child(void **state)
{
	struct member waiter;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(in_child(go_on_in_the_child));
	start_on(&waiter, 1, 30, go_on, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	assert_ok(in_child(go_on_in_the_child)); /* the kernel's flag is in its word, too */
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
}

static void find_the_others_gone(void)
{
	repair("f");
	go_on("g");
}

/* The mutex that the last thread of the place held is none of its own. */
static void begin_with_none(void *unused)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(40);

	(void)unused;
	assert_ptr_equal(plf_self, place);
	assert_ok(plf_mutex_lock(&local));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_mutex_unlock(&local));
}

static void start_heir_in_the_child(void)
{
	struct member heir;

	start_on(&heir, 1, 20, begin_with_none, NULL);
	join(&heir);
}

static void place_of_a_holder_serves_anew_in_a_child(void **state)
{
	struct member holder;

	(void)state;
	start_on(&holder, 1, 20, hold_and_leave, NULL);
	sem_wait(&held);
	assert_ok(in_child(start_heir_in_the_child));
	sem_post(&go);
	join(&holder);
}

static void others_are_dead_in_a_child(void **state)
{
	struct member holder, waiter;

	(void)state;
	start_on(&holder, 1, 20, hold_and_leave, NULL);
	sem_wait(&held);
	assert_ok(in_child(find_the_others_gone));
	start_on(&waiter, 0, 21, go_on, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	assert_ok(in_child(find_the_others_gone));
	sem_post(&go);
	join(&holder);
	join(&waiter);
	assert_string_equal(notes(), "w");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		/* first: no thread has vanished yet, whose place a child would give away */
		cmocka_unit_test_setup_teardown(place_of_a_holder_serves_anew_in_a_child, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(is_seen_by_the_next_locker, setup, detach_main),
		cmocka_unit_test_setup_teardown(of_a_granted_waiter_is_seen, setup, detach_main),
		cmocka_unit_test_setup_teardown(is_seen_by_the_most_urgent_waiter, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(is_reported_before_the_end_is_over, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(unrepaired_is_not_recoverable, setup, detach_main),
		cmocka_unit_test_setup_teardown(of_the_repairer_is_seen, setup, detach_main),
		cmocka_unit_test_setup_teardown(own_sections_go_on_in_a_child, setup, detach_main),
		cmocka_unit_test_setup_teardown(others_are_dead_in_a_child, setup, detach_main),
	};

	return cmocka_run_group_tests_name("death across CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
