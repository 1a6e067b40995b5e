/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Recursive mutexes: the holder's further locks are counted. The mutex is free after the same
 * number of unlocks, and no sooner, wherever the section is.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

enum { OTHER = 20, CEILING = 50, LOCKS = 7 };

static plf_mutex_t mutex, other, normal;
static sem_t may_come, is_done; /* not plf_sem_t, which has the hook */

static int setup(void **state)
{
	assert_ok(plf_mutex_init(&mutex, CEILING));
	assert_ok(plf_mutex_init(&other, CEILING));
	assert_ok(plf_mutex_init(&normal, CEILING));
	assert_ok(plf_mutex_settype(&mutex, PLF_MUTEX_RECURSIVE));
	assert_ok(plf_mutex_settype(&other, PLF_MUTEX_RECURSIVE));
	assert_ok(sem_init(&may_come, 0, 0));
	assert_ok(sem_init(&is_done, 0, 0));
	return attach_main(state);
}

#define recursive_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static int lock_by(int way, plf_mutex_t *m)
{
	return way == 0	  ? plf_mutex_lock(m)
	       : way == 1 ? plf_mutex_trylock(m)
			  : plf_mutex_timedlock(m, 0);
}

/* Lock in each way. The same number of unlocks succeeds; a further unlock is refused. */
static void count_up_and_down(plf_mutex_t *m)
{
	for (int locks = 1; locks <= LOCKS; locks++) {
		for (int i = 0; i < locks; i++)
			assert_ok(lock_by((i + locks) % 3, m));
		for (int i = 0; i < locks; i++) {
			assert_int_equal(plf_mutex_destroy(m), EBUSY);
			assert_ok(plf_mutex_unlock(m));
		}
		assert_int_equal(plf_mutex_unlock(m), EPERM);
	}
}

static void is_free_after_as_many_unlocks(void **state)
{
	uint64_t word;

	(void)state;
	count_up_and_down(&mutex);
	word = plf_load64(&mutex.word);
	count_up_and_down(&mutex); /* after the first use */
	assert_int_equal(plf_load64(&mutex.word), word);
	assert_ok(plf_mutex_lock(&normal));
	count_up_and_down(&mutex); /* inside another section */
	assert_int_equal(plf_load64(&mutex.word), word);
	assert_int_equal(plf_mutex_lock(&normal), EDEADLK);
	assert_ok(plf_mutex_unlock(&normal));
	assert_ok(plf_mutex_destroy(&mutex));
}

/* A wrong unlock leaves neither its own section nor another. */
static void two_count_apart(void **state)
{
	(void)state;
	for (int round = 0; round < 2; round++) {
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(plf_mutex_lock(&other));
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(plf_mutex_lock(&other));
		assert_ok(plf_mutex_lock(&normal));
		assert_ok(plf_mutex_unlock(&mutex)); /* undoes a lock, leaves no section */
		assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
		assert_ok(plf_mutex_unlock(&other));
		assert_int_equal(plf_mutex_unlock(&other), EPERM);
		assert_ok(plf_mutex_unlock(&normal));
		assert_ok(plf_mutex_unlock(&other));
		assert_int_equal(plf_mutex_unlock(&other), EPERM);
		assert_ok(plf_mutex_unlock(&mutex));
		assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	}
}

static void count_has_an_end(void **state)
{
	(void)state;
	for (int i = 0; i < PLF_MUTEX_LOCKS_MAX; i++)
		assert_ok(plf_mutex_lock(&mutex));
	for (int way = 0; way < 3; way++)
		assert_int_equal(lock_by(way, &mutex), EAGAIN);
	for (int i = 0; i < PLF_MUTEX_LOCKS_MAX; i++)
		assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
}

/* A lock that opens no section needs no room for one. */
static void depth_has_no_end_for_it(void **state)
{
	plf_mutex_t nest[PLF_DEPTH_MAX - 1];

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	for (int i = 0; i < PLF_DEPTH_MAX - 1; i++) {
		assert_ok(plf_mutex_init(&nest[i], CEILING));
		assert_ok(plf_mutex_lock(&nest[i]));
	}
	assert_int_equal(plf_mutex_lock(&other), EAGAIN);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	for (int i = PLF_DEPTH_MAX - 2; i >= 0; i--)
		assert_ok(plf_mutex_unlock(&nest[i]));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void type_is_set_while_free(void **state)
{
	plf_mutex_t once = PLF_MUTEX_RECURSIVE_INITIALIZER(CEILING);

	(void)state;
	assert_int_equal(plf_mutex_gettype(&normal), PLF_MUTEX_NORMAL);
	assert_int_equal(plf_mutex_gettype(&mutex), PLF_MUTEX_RECURSIVE);
	assert_int_equal(plf_mutex_gettype(&once), PLF_MUTEX_RECURSIVE);
	assert_int_equal(plf_mutex_settype(&mutex, -1), EINVAL);
	assert_int_equal(plf_mutex_settype(&mutex, PLF_MUTEX_RECURSIVE + 1), EINVAL);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_mutex_settype(&mutex, PLF_MUTEX_NORMAL), EBUSY);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_settype(&mutex, PLF_MUTEX_NORMAL));
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
	count_up_and_down(&once);
}

/* ---- Others ------------------------------------------------------------- */

static void come_twice(void *m)
{
	for (int error = EBUSY; error == EBUSY;) {
		sem_wait(&may_come);
		assert_int_equal(plf_mutex_unlock(m), EPERM);
		error = plf_mutex_trylock(m);
		note(error == 0 ? 'i' : '-');
		if (error == 0)
			assert_ok(plf_mutex_unlock(m));
		sem_post(&is_done);
	}
}

/* The other thread is at the ceiling, so it runs when main sleeps inside. */
static void keeps_others_out(plf_mutex_t *m, int cpu, int priority)
{
	struct member comer;

	start_on(&comer, cpu, priority, come_twice, m);
	for (int i = 0; i < 3; i++)
		assert_ok(plf_mutex_lock(m));
	for (int i = 0; i < 3; i++) {
		sem_post(&may_come);
		sem_wait(&is_done);
		assert_ok(plf_mutex_unlock(m));
	}
	sem_post(&may_come);
	join(&comer);
	assert_string_equal(notes(), "---i");
}

static void others_stay_out_until_the_last_unlock(void **state)
{
	(void)state;
	keeps_others_out(&mutex, 0, CEILING);
}

static void wait_for_main(void *unused)
{
	(void)unused;
	sem_wait(&may_come);
	assert_ok(plf_mutex_lock(&mutex));
	note('w');
	assert_ok(plf_mutex_unlock(&mutex));
}

/* Only the last unlock lets the waiter go. */
static void waiter_waits_until_the_last_unlock(void **state)
{
	struct member waiter;

	(void)state;
	start(&waiter, OTHER, wait_for_main, NULL);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&may_come);
	note('1');
	assert_ok(plf_mutex_unlock(&mutex));
	note('2');
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
	assert_string_equal(notes(), "12w");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void condition_wait_leaves_one_lock_alone(void **state)
{
	plf_cond_t cond = PLF_COND_INITIALIZER;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, 0), EPERM);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, 0), ETIMEDOUT);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_cond_destroy(&cond));
}

/* ---- Death -------------------------------------------------------------- */

static void die_holding_thrice(void *m)
{
	for (int i = 0; i < 3; i++)
		assert_ok(plf_mutex_lock(m));
}

static void vanish_holding_thrice(void *m)
{
	die_holding_thrice(m);
	vanish();
}

/*
 * The next holder has the mutex once. It may lock it again, before and after it repairs the data.
 */
static void death_is_reported(plf_mutex_t *m, int cpu, void (*death)(void *))
{
	struct member victim;

	for (int repaired = 1; repaired >= 0; repaired--) {
		start_on(&victim, cpu, OTHER, death, m);
		join(&victim);
		assert_int_equal(plf_mutex_lock(m), EOWNERDEAD);
		assert_ok(plf_mutex_lock(m));
		if (repaired)
			assert_ok(plf_mutex_consistent(m));
		assert_ok(plf_mutex_unlock(m));
		assert_ok(plf_mutex_unlock(m));
		assert_int_equal(plf_mutex_unlock(m), EPERM);
		if (repaired)
			count_up_and_down(m);
	}
	assert_int_equal(plf_mutex_lock(m), ENOTRECOVERABLE);
}

static void death_inside_is_reported(void **state)
{
	(void)state;
	death_is_reported(&mutex, 0, die_holding_thrice);
	death_is_reported(&other, 0, vanish_holding_thrice);
}

static void hold_thrice_and_sleep(void *m)
{
	die_holding_thrice(m);
	sem_post(&is_done);
	sem_wait(&may_come);
	for (int i = 0; i < 3; i++)
		assert_ok(plf_mutex_unlock(m));
}

static void unlock_in_child(void)
{
	assert_int_equal(plf_mutex_lock(&other), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&other));
	count_up_and_down(&normal);
	assert_ok(plf_mutex_unlock(&other));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	count_up_and_down(&mutex);
	count_up_and_down(&other);
}

/* The child's thread keeps its locks. The parent's other threads have none there. */
static void fork_keeps_the_count(void **state)
{
	struct member holder;

	(void)state;
	assert_ok(plf_mutex_settype(&normal, PLF_MUTEX_RECURSIVE));
	start(&holder, OTHER, hold_thrice_and_sleep, &other);
	sem_wait(&is_done);
	if (!on_ceiling_stack()) { /* there the holder's section covers main */
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(in_child(unlock_in_child));
		assert_ok(plf_mutex_unlock(&mutex));
		assert_ok(plf_mutex_unlock(&mutex));
	}
	sem_post(&may_come);
	join(&holder);
	count_up_and_down(&mutex);
	count_up_and_down(&other);
}

static void unlock_own_in_child(void)
{
	assert_ok(plf_mutex_lock(&mutex));
	for (int i = 0; i < 3; i++)
		assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	count_up_and_down(&mutex);
}

static void child_has_its_own_locks(void **state)
{
	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(in_child(unlock_own_in_child));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	count_up_and_down(&mutex);
}

/* ---- Across CPUs -------------------------------------------------------- */

static int setup_global(void **state)
{
	int error = setup(state);

	plf_mutex_init_global(&mutex);
	plf_mutex_init_global(&other);
	assert_ok(plf_mutex_settype(&mutex, PLF_MUTEX_RECURSIVE));
	assert_ok(plf_mutex_settype(&other, PLF_MUTEX_RECURSIVE));
	return error;
}

#define global_test(f) cmocka_unit_test_setup_teardown(f, setup_global, detach_main)

static void global_one_counts(void **state)
{
	(void)state;
	if (!has_global_mutexes()) {
		assert_int_equal(plf_mutex_lock(&mutex), ENOTSUP);
		return;
	}
	for (int round = 0; round < 2; round++) {
		count_up_and_down(&mutex);
		assert_int_equal(plf_load64(&mutex.holder), 0);
		assert_ok(plf_mutex_lock(&other));
		count_up_and_down(&mutex);
		assert_ok(plf_mutex_unlock(&other));
		count_up_and_down(&other);
	}
}

static void global_ones_count_apart(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	assert_ok(plf_mutex_lock(&normal));
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&other));
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&other));
	assert_int_equal(plf_mutex_lock(&normal), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_mutex_unlock(&other));
	assert_ok(plf_mutex_unlock(&other));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&normal));
	assert_ok(plf_mutex_lock(&normal)); /* no global section is open any more */
	assert_ok(plf_mutex_unlock(&normal));
	assert_int_equal(plf_load64(&mutex.holder) | plf_load64(&other.holder), 0);
	count_up_and_down(&mutex);
}

static void global_one_keeps_others_out(void **state)
{
	(void)state;
	if (has_global_mutexes())
		keeps_others_out(&mutex, 1, OTHER);
}

static void global_death_is_reported(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	death_is_reported(&mutex, 1, die_holding_thrice);
	death_is_reported(&other, 1, vanish_holding_thrice);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		recursive_test(is_free_after_as_many_unlocks),
		recursive_test(two_count_apart),
		recursive_test(count_has_an_end),
		recursive_test(depth_has_no_end_for_it),
		recursive_test(type_is_set_while_free),
		recursive_test(others_stay_out_until_the_last_unlock),
		recursive_test(waiter_waits_until_the_last_unlock),
		recursive_test(condition_wait_leaves_one_lock_alone),
		recursive_test(death_inside_is_reported),
		recursive_test(child_has_its_own_locks),
		recursive_test(fork_keeps_the_count),
		global_test(global_one_counts),
		global_test(global_ones_count_apart),
		global_test(global_one_keeps_others_out),
		global_test(global_death_is_reported),
	};

	return cmocka_run_group_tests_name("recursive", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
