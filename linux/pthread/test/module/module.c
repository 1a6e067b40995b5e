/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "module.h"

#include <unistd.h>

pthread_mutex_t mutex, inner, middle;
sem_t sem;

int setup(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, CEILING, PTHREAD_MUTEX_NORMAL);
	make_mutex(&inner, 20, PTHREAD_MUTEX_NORMAL);
	make_mutex(&middle, 30, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	return prepare_main(state);
}

int kernel_own(void)
{
	return kernel_priority(gettid());
}

void expect_outside(int priority)
{
	assert_int_equal(kernel_own(), priority);
	assert_int_equal(effective_priority(), priority);
	assert_int_equal(kernel_own(), priority);
}

void ask(void)
{
	assert_true(effective_priority() > 0);
}

void rest(void)
{
	sleep_ms(1);
}

void (*const raises[RAISES])(void) = { ask, rest };

void lock_often(int times)
{
	for (int i = 0; i < times; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

void lock_raised(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), CEILING);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
}
