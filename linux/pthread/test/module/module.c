/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "module.h"

#include <sys/resource.h>
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

static long sleeps(void)
{
	struct rusage usage;

	assert_ok(getrusage(RUSAGE_THREAD, &usage));
	return usage.ru_nvcsw;
}

/* In a slow guest the time may end before the thread gives up the CPU: then it did not sleep. */
void rest(void)
{
	long before = sleeps();

	do
		sleep_ms(1);
	while (sleeps() == before);
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
