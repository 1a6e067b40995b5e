/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Backend `syscall` on two CPUs: mutual exclusion, trylock, and a death inside. The ceiling stack
 * serves two CPUs side by side, each with its own mutexes. Servers of two CPUs share nothing.
 */
#include "team.h"

#include <semaphore.h>
#include <stdbool.h>
#include <unistd.h>

enum { CPUS = 2, ROUNDS = 20000 };

static plf_mutex_t mutex[CPUS];
static volatile long counter[CPUS];

/*
 * No thread begins before all have started. None ends before all are finished, because its end
 * would open its gates.
 */
static pthread_barrier_t all_here;

static int setup(void **state)
{
	(void)state;
	assert_ok(pthread_barrier_init(&all_here, NULL, CPUS));
	for (int i = 0; i < CPUS; i++) {
		assert_ok(plf_mutex_init(&mutex[i], 40));
		counter[i] = 0;
	}
	return 0;
}

static void count(void *number)
{
	int i = *(int *)number;

	pthread_barrier_wait(&all_here);
	for (int round = 0; round < ROUNDS; round++) {
		long seen;

		assert_ok(plf_mutex_lock(&mutex[i]));
		seen = counter[i];
		for (volatile int work = 0; work < 20; work++)
			;
		counter[i] = seen + 1;
		assert_ok(plf_mutex_unlock(&mutex[i]));
	}
	pthread_barrier_wait(&all_here);
}

static void count_by_trying(void *number)
{
	int i = *(int *)number;
	int round = 0;

	pthread_barrier_wait(&all_here);
	while (round < ROUNDS) {
		int error = plf_mutex_trylock(&mutex[i]);

		assert_true(error == 0 || error == EBUSY);
		if (error != 0)
			continue;
		counter[i]++;
		assert_ok(plf_mutex_unlock(&mutex[i]));
		round++;
	}
	pthread_barrier_wait(&all_here);
}

static void exclusion_across_cpus(void **state)
{
	int number[CPUS] = { 0, on_classic_protocol() ? 0 : 1 };
	struct member member[CPUS];

	(void)state;
	for (int cpu = 0; cpu < CPUS; cpu++)
		start_on(&member[cpu], cpu, 20, count, &number[cpu]);
	for (int cpu = 0; cpu < CPUS; cpu++)
		join(&member[cpu]);
	assert_int_equal(counter[0] + counter[1], CPUS * ROUNDS);
}

static void trylock_across_cpus(void **state)
{
	int number[CPUS] = { 0, on_classic_protocol() ? 0 : 1 };
	struct member member[CPUS];

	(void)state;
	start_on(&member[0], 0, 20, count_by_trying, &number[0]);
	start_on(&member[1], 1, 20, count, &number[1]);
	for (int cpu = 0; cpu < CPUS; cpu++)
		join(&member[cpu]);
	assert_int_equal(counter[0] + counter[1], CPUS * ROUNDS);
}

/* The second thread at a free mutex has shut its own gate for it, and opens that gate again. */
static void second_comers_go_on(void **state)
{
	int number = 0;
	struct member member[CPUS];

	(void)state;
	if (!on_classic_protocol())
		return;
	for (int cpu = 0; cpu < CPUS; cpu++)
		start_on(&member[cpu], cpu, 20, count_by_trying, &number);
	for (int cpu = 0; cpu < CPUS; cpu++)
		join(&member[cpu]);
	assert_int_equal(counter[0], CPUS * ROUNDS);
}

static void change_ceiling(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&all_here);
	for (int round = 0; round < ROUNDS; round++) {
		int error = plf_mutex_setceiling(&mutex[0], 40 + round % 2, NULL);

		assert_true(error == 0 || error == EBUSY);
	}
	pthread_barrier_wait(&all_here);
}

/*
 * The thread that changes the ceiling holds the mutex for that moment. A waiter does not take it
 * for dead.
 */
static void ceiling_changes_across_cpus(void **state)
{
	int number = 0;
	struct member changer, counting;

	(void)state;
	if (!on_classic_protocol())
		return;
	start_on(&changer, 0, 20, change_ceiling, NULL);
	start_on(&counting, 1, 20, count, &number);
	join(&changer);
	join(&counting);
	assert_int_equal(counter[0], ROUNDS);
}

static void leave_unrepaired(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex[0]));
}

static void give_up_repair(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex[0]), EOWNERDEAD);
	assert_ok(plf_mutex_unlock(&mutex[0]));
}

static void lock_in_vain(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&all_here);
	for (int round = 0; round < ROUNDS / 10; round++)
		assert_int_equal(plf_mutex_lock(&mutex[0]), ENOTRECOVERABLE);
	pthread_barrier_wait(&all_here);
}

/* A thread that is about to leave the mutex again is not taken for dead. */
static void none_recovers_it_across_cpus(void **state)
{
	struct member member[CPUS];

	(void)state;
	if (!on_classic_protocol())
		return;
	start_on(&member[0], 0, 20, leave_unrepaired, NULL);
	join(&member[0]);
	start_on(&member[0], 0, 20, give_up_repair, NULL);
	join(&member[0]);
	for (int cpu = 0; cpu < CPUS; cpu++)
		start_on(&member[cpu], cpu, 20, lock_in_vain, NULL);
	for (int cpu = 0; cpu < CPUS; cpu++)
		join(&member[cpu]);
}

static void find_the_dead(void *number)
{
	plf_mutex_t *m = &mutex[*(int *)number];

	assert_int_equal(plf_mutex_lock(m), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(m));
	assert_ok(plf_mutex_unlock(m));
}

static void die_while_awaited(void *number)
{
	assert_ok(plf_mutex_lock(&mutex[*(int *)number]));
	pthread_barrier_wait(&all_here);
	sleep_ms(10);
	vanish();
}

static void death_is_reported_across_cpus(void **state)
{
	int number = 0;
	struct member victim, finder;

	(void)state;
	for (int round = 0; round < 3; round++) {
		start_on(&victim, 0, 20, die_while_awaited, &number);
		pthread_barrier_wait(&all_here); /* the victim holds the mutex */
		start_on(&finder, on_classic_protocol() ? 1 : 0, 20, find_the_dead, &number);
		join(&victim);
		join(&finder);
	}
}

static void servers_share_on_one_cpu_alone(void **state)
{
	const uint64_t period_ns = 10000000, budget_ns = 1000000;
	plf_server_t here, there;
	plf_shared_t shared;

	(void)state;
	plf_shared_init(&shared);
	assert_ok(plf_server_init(&here, 0, 10, period_ns, budget_ns, PLF_SERVER_SKIP));
	assert_ok(plf_server_init(&there, 1, 10, period_ns, budget_ns, PLF_SERVER_SKIP));
	assert_ok(plf_server_share(&here, &shared, 1, 1000));
	assert_int_equal(plf_server_share(&there, &shared, 1, 1000), EXDEV);
	assert_ok(plf_server_destroy(&here));
	assert_ok(plf_server_destroy(&there));
}

/* ---- A locker that is refused after a wait ------------------------------- */

static struct member first, last;
static volatile bool first_wants_it, last_wants_it;
static sem_t all_wait, first_is_inside, last_has_tried; /* not plf_sem_t, which has the hook */

/* On the other CPU: unlock when both threads sleep for the mutex. */
static void give_up_before_two(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex[0]), EOWNERDEAD);
	assert_ok(sem_post(&all_wait));
	while (!last_wants_it || !is_asleep(last.tid))
		sleep_ms(1);
	assert_ok(plf_mutex_unlock(&mutex[0]));
}

static void be_first(void *unused)
{
	(void)unused;
	first_wants_it = true;
	assert_int_equal(plf_mutex_lock(&mutex[0]), ENOTRECOVERABLE);
	assert_ok(plf_mutex_lock(&mutex[1]));
	assert_ok(sem_post(&first_is_inside));
	assert_ok(sem_wait(&last_has_tried));
	assert_ok(plf_mutex_unlock(&mutex[1]));
}

/* On the same CPU, so it goes on when the first thread's priority falls. */
static void be_last(void *unused)
{
	(void)unused;
	while (!first_wants_it || !is_asleep(first.tid))
		sleep_ms(1);
	last_wants_it = true;
	assert_int_equal(plf_mutex_lock(&mutex[0]), ENOTRECOVERABLE);
	assert_ok(sem_wait(&first_is_inside));
	assert_int_equal(plf_mutex_trylock(&mutex[1]), EBUSY);
	assert_ok(sem_post(&last_has_tried));
}

/*
 * A refused locker gives the mutex back before its gate. Otherwise the next locker would take it
 * for dead, and would not wait for its next section.
 */
static void refused_locker_is_not_dead(void **state)
{
	struct member owner, quitter;

	(void)state;
	if (!on_classic_protocol())
		return;
	assert_ok(sem_init(&all_wait, 0, 0));
	assert_ok(sem_init(&first_is_inside, 0, 0));
	assert_ok(sem_init(&last_has_tried, 0, 0));
	start_on(&owner, 0, 20, leave_unrepaired, NULL);
	join(&owner);
	start_on(&quitter, 1, 20, give_up_before_two, NULL);
	assert_ok(sem_wait(&all_wait));
	start_on(&first, 0, 20, be_first, NULL);
	start_on(&last, 0, 20, be_last, NULL);
	join(&first);
	join(&last);
	join(&quitter);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup(exclusion_across_cpus, setup),
		cmocka_unit_test_setup(trylock_across_cpus, setup),
		cmocka_unit_test_setup(second_comers_go_on, setup),
		cmocka_unit_test_setup(ceiling_changes_across_cpus, setup),
		cmocka_unit_test_setup(none_recovers_it_across_cpus, setup),
		cmocka_unit_test_setup(death_is_reported_across_cpus, setup),
		cmocka_unit_test_setup(refused_locker_is_not_dead, setup),
		cmocka_unit_test(servers_share_on_one_cpu_alone),
	};

	return cmocka_run_group_tests_name("two CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
