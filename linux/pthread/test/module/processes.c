/* SPDX-License-Identifier: MIT */
/* fork(), and threads that begin and end. */
#define _GNU_SOURCE
#include "module.h"
#include "part.h"
#include "tests.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

/* `detail`: how the section is raised before. */
int part_fork(const char *detail)
{
	pid_t child;

	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_lock(&inner));
	raises[detail[0] - '0']();
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		become_part();
	assert_int_equal(effective_priority(), CEILING);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
	assert_ok(pthread_mutex_unlock(&inner));
	expect_outside(LOW);
	lock_often(LOCKS);
	expect_outside(LOW);
	return child == 0 ? 0 : status_of(child);
}

void a_child_of_fork_is_lazy_again(void **state)
{
	glob_t found;
	char pattern[80];

	UNUSED(state);
	for (int i = 0; i < RAISES; i++) {
		run_part("fork", i == 0 ? "0" : "1");
		expect_statistics(stats_path, "module", LOCKS + 2, 0);
		snprintf(pattern, sizeof(pattern), "%s.*", stats_path);
		assert_ok(glob(pattern, 0, NULL, &found));
		assert_int_equal(found.gl_pathc, 1);
		expect_statistics(found.gl_pathv[0], "module", LOCKS, 0);
		globfree(&found);
	}
}

static void end_inside(void *raise)
{
	assert_ok(pthread_mutex_lock(&mutex));
	(*(void (*const *)(void))raise)();
}

void a_thread_may_end_inside(void **state)
{
	UNUSED(state);
	for (int i = 0; i < RAISES; i++) {
		make_mutex(&mutex, CEILING, PTHREAD_MUTEX_NORMAL);
		run_as(20, end_inside, (void *)&raises[i]);
		assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
		assert_ok(pthread_mutex_lock(&middle));
		assert_int_equal(effective_priority(), 30);
		assert_ok(pthread_mutex_unlock(&middle));
		expect_outside(LOW);
	}
}

static void *be_born(void *unused)
{
	expect_outside(LOW);
	assert_int_equal(base_priority(), LOW);
	assert_int_equal(sched_getscheduler(0), SCHED_FIFO);
	assert_ok(pthread_mutex_lock(&middle));
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&middle));
	expect_outside(LOW);
	note('b');
	return unused;
}

void a_ceiling_is_not_inherited(void **state)
{
	pthread_t thread;

	UNUSED(state);
	for (int i = 0; i <= RAISES; i++) {
		forget_notes();
		assert_ok(pthread_mutex_lock(&mutex));
		if (i < RAISES)
			raises[i]();
		assert_ok(pthread_create(&thread, NULL, be_born, NULL));
		rest();
		assert_int_equal(kernel_own(), CEILING);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_join(thread, NULL));
		assert_string_equal(notes(), "b");
		expect_outside(LOW);
	}
}
