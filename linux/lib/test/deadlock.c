/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A wait that would close a cycle through a foreign mutex is refused, and nothing is lost. */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static plf_mutex_t ours;
static pthread_mutex_t foreign;
static sem_t go;

static int setup(void **state)
{
	pthread_mutexattr_t attr;

	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT));
	assert_ok(pthread_mutex_init(&foreign, &attr));
	assert_ok(sem_init(&go, 0, 0));
	assert_ok(plf_mutex_init(&ours, 40));
	return attach_main(state);
}

static void ours_then_foreign(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&ours));
	note('1');
	assert_ok(pthread_mutex_lock(&foreign));
	note('3');
	assert_ok(pthread_mutex_unlock(&foreign));
	assert_ok(plf_mutex_unlock(&ours));
}

static void foreign_then_ours(void *unused)
{
	(void)unused;
	assert_ok(pthread_mutex_lock(&foreign));
	assert_ok(sem_wait(&go));
	assert_int_equal(plf_mutex_lock(&ours), EDEADLK);
	if (on_ceiling_stack())
		assert_int_equal(plf_wake_hook(), EDEADLK);
	note('2');
	assert_ok(pthread_mutex_unlock(&foreign));
	assert_ok(plf_mutex_lock(&ours));
	note('4');
	assert_ok(plf_mutex_unlock(&ours));
}

static void cycle_at_lock_is_edeadlk(void **state)
{
	struct member first, second;

	(void)state;
	start(&second, 30, foreign_then_ours, NULL);
	start(&first, 20, ours_then_foreign, NULL);
	assert_string_equal(notes(), "1");
	assert_ok(sem_post(&go));
	join(&first);
	join(&second);
	assert_string_equal(notes(), "1234");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void sleep_above(void *unused)
{
	plf_mutex_t above = PLF_MUTEX_INITIALIZER(60);

	(void)unused;
	assert_ok(plf_mutex_lock(&above));
	assert_ok(pthread_mutex_lock(&foreign));
	note('3');
	assert_ok(pthread_mutex_unlock(&foreign));
	assert_ok(plf_mutex_unlock(&above));
}

static void leave_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&ours));
}

/* Only the ceiling stack waits in unlock, for a frame above whose owner sleeps inside. */
static void refuse_unlock(int found)
{
	struct member above;

	assert_ok(pthread_mutex_lock(&foreign));
	assert_int_equal(plf_mutex_lock(&ours), found);
	note('1');
	start(&above, 50, sleep_above, NULL);
	assert_int_equal(plf_mutex_unlock(&ours), on_ceiling_stack() ? EDEADLK : 0);
	if (on_ceiling_stack())
		assert_int_equal(plf_mutex_lock(&ours), EDEADLK);
	if (found == EOWNERDEAD) /* it may still be repaired */
		assert_int_equal(plf_mutex_consistent(&ours), on_ceiling_stack() ? 0 : EINVAL);
	note('2');
	assert_ok(pthread_mutex_unlock(&foreign));
	assert_int_equal(plf_mutex_unlock(&ours), on_ceiling_stack() ? 0 : EPERM);
	join(&above);
	assert_string_equal(notes(), "123");
}

static void cycle_at_unlock_is_edeadlk_and_still_locked(void **state)
{
	(void)state;
	refuse_unlock(0);
}

static void cycle_at_unlock_before_the_repair(void **state)
{
	struct member victim;

	(void)state;
	start(&victim, 20, leave_inside, NULL);
	join(&victim);
	refuse_unlock(EOWNERDEAD);
	assert_int_equal(plf_mutex_lock(&ours), on_ceiling_stack() ? 0 : ENOTRECOVERABLE);
	assert_int_equal(plf_mutex_unlock(&ours), on_ceiling_stack() ? 0 : EPERM);
}

static void attach_in_a_cycle(void *unused)
{
	(void)unused;
	assert_ok(pthread_mutex_lock(&foreign));
	assert_ok(sem_wait(&go));
	assert_int_equal(plf_attach(20, 0, test_flags), on_ceiling_stack() ? EDEADLK : 0);
	assert_int_equal(plf_detach(), on_ceiling_stack() ? EPERM : 0);
	note('2');
	assert_ok(pthread_mutex_unlock(&foreign));
}

/* Attach waits for the section that covers the caller, which waits for the caller. */
static void cycle_at_attach_is_edeadlk_and_not_attached(void **state)
{
	struct member first, second;

	(void)state;
	start_stranger(&second, 20, attach_in_a_cycle, NULL);
	start(&first, 30, ours_then_foreign, NULL);
	assert_string_equal(notes(), "1");
	assert_ok(sem_post(&go));
	join(&first);
	join(&second);
	assert_string_equal(notes(), "123");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup_teardown(cycle_at_lock_is_edeadlk, setup, detach_main),
		cmocka_unit_test_setup_teardown(cycle_at_unlock_is_edeadlk_and_still_locked, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(cycle_at_unlock_before_the_repair, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(cycle_at_attach_is_edeadlk_and_not_attached, setup,
						detach_main),
	};

	return cmocka_run_group_tests_name("deadlock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
