/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A holder of a mutex across CPUs dies. The next holder on any CPU learns of it, whether threads of
 * two CPUs wait, or no thread waits.
 */
#include "global_holder.h"

#include <plafond/global_word.h>

#include <unistd.h>

/* A thread of that CPU dies with the mutex, while no thread waits. */
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

static void of_a_granted_waiter_is_seen(void **state)
{
	(void)state;
	end = return_inside;
	assert_int_equal(granted_and_dead(plf_mutex_trylock), EOWNERDEAD);
	end = vanish_inside;
	assert_int_equal(granted_and_dead(plf_mutex_lock), EOWNERDEAD);
}

/* The holder is on CPU 1, and stood in line there before it was granted the mutex. */
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

/* This key's destructor runs after the destructors of older keys. */
static void hold_and_end_slowly(void *key)
{
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(pthread_setspecific(*(pthread_key_t *)key, key));
	sem_post(&held);
	sem_wait(&go);
}

/* When a thread's last destructors run, it holds nothing any more. */
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

static void die_on_the_way_out(void *unused)
{
	(void)unused;
	assert_true(plf_global_take(&mutex.holder, 0, plf_self->ref, plf_self->tid));
	vanish();
}

/* A thread that finds the mutex not recoverable has it for a moment, and dies then. */
static void stays_not_recoverable(void **state)
{
	struct member victim;

	(void)state;
	end = vanish_inside;
	die_on(1);
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	assert_ok(plf_mutex_unlock(&mutex));
	start_on(&victim, 1, 20, die_on_the_way_out, NULL);
	join(&victim);
	find_it_beyond_repair(NULL);
}

/* A thread that was granted the mutex and ends inside leaves the band when it ends. */
static void ends_at_its_base_priority(void **state)
{
	struct member holder, victim;
	pthread_key_t key;

	(void)state;
	assert_ok(pthread_key_create(&key, wait_for_go));
	start_on(&holder, 0, 30, hold_and_leave, NULL);
	sem_wait(&held);
	start_on(&victim, 1, 20, hold_and_end_slowly, &key);
	await_asleep(&victim);
	sem_post(&go);
	join(&holder);
	sem_wait(&held);
	assert_int_equal(kernel_priority(victim.tid), PLF_GLOBAL_BAND + 20);
	sem_post(&go);
	repair("w");
	await_asleep(&victim);
	assert_int_equal(kernel_priority(victim.tid), 20);
	sem_post(&go);
	join(&victim);
	assert_ok(pthread_key_delete(key));
}

static plf_mutex_t outer;

static void hold_both_and_end_slowly(void *key)
{
	assert_ok(plf_mutex_lock(&outer));
	hold_and_end_slowly(key);
}

/* The thread holds two mutexes, and a thread stands in line for the inner mutex. */
static void of_two_is_reported_before_the_end_is_over(void **state)
{
	struct member victim, waiter;
	pthread_key_t key;

	(void)state;
	plf_mutex_init_global(&outer);
	assert_ok(pthread_key_create(&key, wait_for_go));
	start_on(&victim, 1, 20, hold_both_and_end_slowly, &key);
	sem_wait(&held);
	start_on(&waiter, 0, 21, repair, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	sem_post(&go);
	join(&waiter);
	assert_int_equal(plf_mutex_lock(&outer), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&outer));
	assert_ok(plf_mutex_unlock(&outer));
	sem_post(&go);
	join(&victim);
	assert_ok(pthread_key_delete(key));
}

/* The thread that repairs after a dead holder dies, too. */
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

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup_teardown(is_seen_by_the_next_locker, setup, detach_main),
		cmocka_unit_test_setup_teardown(of_a_granted_waiter_is_seen, setup, detach_main),
		cmocka_unit_test_setup_teardown(is_seen_by_the_most_urgent_waiter, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(is_reported_before_the_end_is_over, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(of_two_is_reported_before_the_end_is_over, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(unrepaired_is_not_recoverable, setup, detach_main),
		cmocka_unit_test_setup_teardown(stays_not_recoverable, setup, detach_main),
		cmocka_unit_test_setup_teardown(ends_at_its_base_priority, setup, detach_main),
		cmocka_unit_test_setup_teardown(of_the_repairer_is_seen, setup, detach_main),
	};

	return cmocka_run_group_tests_name("death across CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
