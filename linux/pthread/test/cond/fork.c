/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Threads of the parent wait on a condition variable. In the child no thread does. */
#include "ours.h"

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static int tokens;

static int setup(void **state)
{
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_cond_init(&cond, NULL));
	tokens = 0;
	return prepare_main(state);
}

#define fork_test(f) cmocka_unit_test_setup(f, setup)

static void take_a_token(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	while (tokens == 0)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	tokens--;
	assert_ok(pthread_mutex_unlock(&mutex));
	note('t');
}

static void give_a_token(void)
{
	assert_ok(pthread_mutex_lock(&mutex));
	tokens++;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void use(void *unused)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);
	struct member waiter;

	UNUSED(unused);
	prepare_main(NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_cond_timedwait(&cond, &mutex, &end), ETIMEDOUT);
	assert_ok(pthread_mutex_unlock(&mutex));
	start(&waiter, 20, take_a_token, NULL);
	give_a_token();
	assert_string_equal(notes(), "t");
	join(&waiter);
}

/* The standard leaves this case open; with glibc 2.36 destroy would wait for ever. */
static void signal_and_destroy(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_cond_broadcast(&cond));
	assert_ok(pthread_cond_destroy(&cond));
	assert_ok(pthread_cond_init(&cond, NULL));
	use(NULL);
}

static void use_and_destroy(void *unused)
{
	use(unused);
	assert_ok(pthread_cond_destroy(&cond));
}

static void in_a_grandchild(void *body)
{
	use(NULL);
	assert_ok(in_child(*(void (**)(void *))body, NULL));
}

static void while_a_thread_waits(void (*body)(void *), void *argument)
{
	struct member waiter;

	start(&waiter, 20, take_a_token, NULL);
	assert_ok(in_child(body, argument));
	assert_string_equal(notes(), "");
	give_a_token();
	assert_string_equal(notes(), "t");
	join(&waiter);
	assert_ok(pthread_cond_destroy(&cond));
}

static void the_child_uses_it(void **state)
{
	UNUSED(state);
	while_a_thread_waits(use, NULL);
}

static void the_child_destroys_it(void **state)
{
	UNUSED(state);
	if (are_ours())
		while_a_thread_waits(signal_and_destroy, NULL);
}

static void the_child_uses_and_destroys_it(void **state)
{
	UNUSED(state);
	if (are_ours())
		while_a_thread_waits(use_and_destroy, NULL);
}

static void the_grandchild_too(void **state)
{
	static void (*bodies[])(void *) = { signal_and_destroy, use_and_destroy };

	UNUSED(state);
	for (size_t i = 0; are_ours() && i < 2; i++) {
		forget_notes();
		assert_ok(pthread_cond_init(&cond, NULL));
		while_a_thread_waits(in_a_grandchild, &bodies[i]);
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		fork_test(the_child_uses_it),
		fork_test(the_child_destroys_it),
		fork_test(the_child_uses_and_destroys_it),
		fork_test(the_grandchild_too),
	};

	return cmocka_run_group_tests_name("fork", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
