/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Each error of mutexes across CPUs. */
#include "team.h"

#include <semaphore.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TOP = PLF_GLOBAL_BAND - 1 };

static plf_mutex_t mutex = PLF_MUTEX_GLOBAL_INITIALIZER;
static sem_t held, go;

static void hold(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void hold_on_cpu_1(struct member *holder)
{
	assert_ok(sem_init(&held, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	start_on(holder, 1, 20, hold, NULL);
	sem_wait(&held);
}

static void let_go(struct member *holder)
{
	sem_post(&go);
	join(holder);
}

static void needs_an_attached_thread(void **state)
{
	(void)state;
	assert_int_equal(plf_mutex_lock(&mutex), EPERM);
	assert_int_equal(plf_mutex_trylock(&mutex), EPERM);
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
}

static void strict_threads_have_none(void **state)
{
	(void)state;
	if (has_global_mutexes())
		return;
	assert_int_equal(plf_mutex_lock(&mutex), ENOTSUP);
	assert_int_equal(plf_mutex_trylock(&mutex), ENOTSUP);
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
}

static void lock_at_the_top(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void lock_in_the_band(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), EINVAL);
	assert_int_equal(plf_mutex_trylock(&mutex), EINVAL);
}

static void base_priorities_end_below_the_band(void **state)
{
	struct member member;

	(void)state;
	if (!has_global_mutexes())
		return;
	start(&member, TOP, lock_at_the_top, NULL);
	join(&member);
	start(&member, PLF_GLOBAL_BAND, lock_in_the_band, NULL);
	join(&member);
}

/* The kernel leaves the caller its priority, but grants no higher priority. */
static void lose_privilege(void)
{
	const struct rlimit none = { 0, 0 };

	assert_ok(setrlimit(RLIMIT_RTPRIO, &none));
	if (geteuid() == 0)
		assert_ok(setuid(65534));
}

static void find_no_room(void)
{
	assert_int_equal(plf_mutex_lock(&mutex), EINVAL);
	assert_int_equal(plf_mutex_trylock(&mutex), EINVAL);
	assert_int_equal(kernel_priority(gettid()), LOW);
	assert_ok(plf_detach());
}

static void lock_without_room(void)
{
	assert_ok(plf_attach(LOW, 0, test_flags));
	lose_privilege();
	find_no_room();
}

/* The thread takes the place of a thread that was in the band. */
static void lock_without_room_any_more(void)
{
	struct plf_thread *left;

	assert_ok(plf_attach(LOW, 0, test_flags));
	left = plf_self;
	lock_at_the_top(NULL);
	assert_ok(plf_detach());
	lose_privilege();
	assert_ok(plf_attach(LOW, 0, test_flags));
	assert_ptr_equal(plf_self, left);
	find_no_room();
}

static void the_band_needs_privilege(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	assert_ok(in_child(lock_without_room));
	assert_ok(in_child(lock_without_room_any_more));
}

static void waits_for_no_thread_with_a_section_open(void **state)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(40), another = PLF_MUTEX_GLOBAL_INITIALIZER;
	plf_mutex_t *outer[] = { &local, &another };
	struct member holder;

	(void)state;
	if (!has_global_mutexes())
		return;
	hold_on_cpu_1(&holder);
	for (int i = 0; i < 2; i++) {
		assert_ok(plf_mutex_lock(outer[i]));
		assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
		assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
		assert_ok(plf_mutex_unlock(outer[i]));
	}
	let_go(&holder);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void opens_no_section_of_one_cpu(void **state)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(40);
	plf_cond_t cond = PLF_COND_INITIALIZER;

	(void)state;
	if (!has_global_mutexes())
		return;
	assert_ok(plf_mutex_lock(&local)); /* once, so that its short path works */
	assert_ok(plf_mutex_unlock(&local));
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(plf_mutex_trylock(&mutex), EDEADLK);
	assert_int_equal(plf_mutex_lock(&local), EDEADLK);
	assert_int_equal(plf_mutex_trylock(&local), EDEADLK);
	assert_int_equal(plf_cond_signal(&cond), EDEADLK);
	assert_int_equal(plf_cond_wait(&cond, &mutex), EINVAL);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(plf_cond_wait(&cond, &mutex), EINVAL);
	assert_ok(plf_mutex_lock(&local));
	assert_ok(plf_mutex_unlock(&local));
}

static void keeps_a_ceiling_above_the_band(void **state)
{
	plf_mutex_t high = PLF_MUTEX_INITIALIZER(PLF_PRIORITY_MAX - 1);

	(void)state;
	if (!has_global_mutexes())
		return;
	assert_ok(plf_mutex_lock(&high));
	assert_ok(plf_mutex_lock(&mutex));
	if (on_classic_protocol())
		assert_int_equal(kernel_priority(gettid()), PLF_PRIORITY_MAX - 1);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&high));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void ends_last_in_first_out(void **state)
{
	plf_mutex_t inner = PLF_MUTEX_GLOBAL_INITIALIZER;

	(void)state;
	if (!has_global_mutexes())
		return;
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&inner));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_mutex_unlock(&inner));
	assert_int_equal(plf_mutex_unlock(&inner), EPERM);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void the_deepest_section_is_the_last(void **state)
{
	plf_mutex_t deep[PLF_DEPTH_MAX];

	(void)state;
	if (!has_global_mutexes())
		return;
	for (int i = 0; i < PLF_DEPTH_MAX; i++) {
		plf_mutex_init_global(&deep[i]);
		assert_ok(plf_mutex_lock(&deep[i]));
	}
	assert_int_equal(plf_mutex_lock(&mutex), EAGAIN);
	for (int i = PLF_DEPTH_MAX; i-- > 0;)
		assert_ok(plf_mutex_unlock(&deep[i]));
}

static void trylock_does_not_wait(void **state)
{
	struct member holder;

	(void)state;
	if (!has_global_mutexes())
		return;
	hold_on_cpu_1(&holder);
	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(plf_mutex_destroy(&mutex), EBUSY);
	let_go(&holder);
	assert_ok(plf_mutex_trylock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void has_no_ceiling(void **state)
{
	int ceiling;

	(void)state;
	assert_int_equal(plf_mutex_getceiling(&mutex, &ceiling), EINVAL);
	assert_int_equal(plf_mutex_setceiling(&mutex, 40, NULL), EINVAL);
	assert_int_equal(plf_mutex_consistent(&mutex), EINVAL);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(needs_an_attached_thread),
		team_test(strict_threads_have_none),
		team_test(base_priorities_end_below_the_band),
		cmocka_unit_test(the_band_needs_privilege),
		team_test(waits_for_no_thread_with_a_section_open),
		team_test(opens_no_section_of_one_cpu),
		team_test(keeps_a_ceiling_above_the_band),
		team_test(ends_last_in_first_out),
		team_test(the_deepest_section_is_the_last),
		team_test(trylock_does_not_wait),
		team_test(has_no_ceiling),
	};

	return cmocka_run_group_tests_name("errors of mutexes across CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
