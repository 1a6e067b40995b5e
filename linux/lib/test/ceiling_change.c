/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* plf_mutex_setceiling(): its results and refusals, and the effect of the new ceiling. */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static plf_mutex_t mutex;
static struct member other;

static int setup(void **state)
{
	return plf_mutex_init(&mutex, 40) != 0 ? -1 : attach_main(state);
}

#define mutex_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void old_ceiling_is_returned(void **state)
{
	int ceiling = 0;

	(void)state;
	assert_ok(plf_mutex_setceiling(&mutex, 30, &ceiling));
	assert_int_equal(ceiling, 40);
	assert_ok(plf_mutex_setceiling(&mutex, 99, NULL));
	assert_ok(plf_mutex_getceiling(&mutex, &ceiling));
	assert_int_equal(ceiling, 99);
}

static void bad_ceiling_is_einval(void **state)
{
	int ceiling = 7;

	(void)state;
	assert_int_equal(plf_mutex_setceiling(&mutex, 0, &ceiling), EINVAL);
	assert_int_equal(plf_mutex_setceiling(&mutex, 100, &ceiling), EINVAL);
	assert_int_equal(ceiling, 7);
	memset(&mutex, 0, sizeof(mutex));
	assert_int_equal(plf_mutex_setceiling(&mutex, 40, &ceiling), EINVAL);
}

static void own_priority_does_not_matter(void **state)
{
	(void)state;
	assert_ok(plf_mutex_setceiling(&mutex, LOW - 5, NULL));
	assert_int_equal(plf_mutex_lock(&mutex), EINVAL);
	assert_int_equal(plf_mutex_trylock(&mutex), EINVAL);
	assert_ok(plf_mutex_setceiling(&mutex, LOW, NULL));
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void change_while_held(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_setceiling(&mutex, 20, NULL), EBUSY);
}

static void held_is_ebusy(void **state)
{
	int ceiling = 7;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_mutex_setceiling(&mutex, 20, &ceiling), EBUSY);
	assert_int_equal(ceiling, 7);
	start(&other, 50, change_while_held, NULL);
	join(&other);
	assert_ok(plf_mutex_getceiling(&mutex, &ceiling));
	assert_int_equal(ceiling, 40);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_setceiling(&mutex, 20, NULL));
}

static void arrive(void *unused)
{
	(void)unused;
	assert_ok(plf_wake_hook());
	note('a');
}

/* A new ceiling keeps out the threads that it covers, and no others. */
static void new_ceiling_counts(void **state)
{
	static const struct {
		int ceiling;
		const char *order;
	} step[] = { { 40, "(a)" }, { 60, "()a" }, { 49, "(a)" }, { 50, "()a" } };

	(void)state;
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		forget_notes();
		assert_ok(plf_mutex_setceiling(&mutex, step[i].ceiling, NULL));
		assert_ok(plf_mutex_lock(&mutex));
		note('(');
		start(&other, 50, arrive, NULL);
		note(')');
		assert_ok(plf_mutex_unlock(&mutex));
		join(&other);
		assert_string_equal(notes(), step[i].order);
		assert_int_equal(kernel_priority(gettid()), LOW);
	}
}

static sem_t go; /* not plf_sem_t: its hook would wait for the section, not the lock */

static void lock_and_be_met(void *unused)
{
	struct member comer;

	(void)unused;
	assert_ok(sem_wait(&go));
	assert_ok(plf_mutex_lock(&mutex));
	note('(');
	start(&comer, 45, arrive, NULL);
	note(')');
	assert_ok(plf_mutex_unlock(&mutex));
	join(&comer);
}

/*
 * The waiter has read the old ceiling, and another section covers it, when the new ceiling is set.
 */
static void waiter_takes_the_new_ceiling(void **state)
{
	plf_mutex_t section = PLF_MUTEX_INITIALIZER(30);

	(void)state;
	assert_ok(sem_init(&go, 0, 0));
	start(&other, 20, lock_and_be_met, NULL);
	assert_ok(plf_mutex_lock(&section));
	assert_ok(sem_post(&go));
	assert_ok(plf_mutex_setceiling(&mutex, 50, NULL));
	assert_ok(plf_mutex_unlock(&section));
	join(&other);
	assert_string_equal(notes(), "()a");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		mutex_test(old_ceiling_is_returned),	  mutex_test(bad_ceiling_is_einval),
		mutex_test(own_priority_does_not_matter), mutex_test(held_is_ebusy),
		mutex_test(new_ceiling_counts),		  mutex_test(waiter_takes_the_new_ceiling),
	};

	return cmocka_run_group_tests_name("ceiling change", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
