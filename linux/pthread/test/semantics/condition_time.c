/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Condition waits with a time limit: timedwait by the clock of the attributes, clockwait by both
 * clocks. After each result the mutex is held.
 */
#include "../../../real_time/test/patience.h"
#include "team.h"

#include <string.h>
#include <unistd.h>

enum form {
	TIMEDWAIT_REALTIME,
	TIMEDWAIT_MONOTONIC,
	CLOCKWAIT_REALTIME,
	CLOCKWAIT_MONOTONIC,
	FORMS
};

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static enum form form;

static clockid_t clock_of_form(void)
{
	return form == TIMEDWAIT_REALTIME || form == CLOCKWAIT_REALTIME ? CLOCK_REALTIME
									: CLOCK_MONOTONIC;
}

static int wait_until(struct timespec end)
{
	return form == TIMEDWAIT_REALTIME || form == TIMEDWAIT_MONOTONIC
		       ? pthread_cond_timedwait(&cond, &mutex, &end)
		       : pthread_cond_clockwait(&cond, &mutex, clock_of_form(), &end);
}

static int wait_for(int ms)
{
	return wait_until(in_ms(clock_of_form(), ms));
}

static void make_cond(void)
{
	pthread_condattr_t attr;
	clockid_t clock = -1;

	assert_ok(pthread_condattr_init(&attr));
	assert_ok(pthread_condattr_setclock(&attr, form == TIMEDWAIT_MONOTONIC ? CLOCK_MONOTONIC
									       : CLOCK_REALTIME));
	assert_ok(pthread_condattr_getclock(&attr, &clock));
	assert_ok(pthread_cond_init(&cond, &attr));
	assert_ok(pthread_condattr_destroy(&attr));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
}

static void expect_held(void)
{
	assert_int_equal(pthread_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(effective_priority(), 40);
}

static void in_each_form(void (*body)(void))
{
	for (form = 0; form < FORMS; form++) {
		make_cond();
		body();
		assert_int_equal(kernel_priority(gettid()), LOW);
		assert_ok(pthread_mutex_destroy(&mutex));
		assert_ok(pthread_cond_destroy(&cond));
	}
}

static void time_out(void)
{
	struct timespec end = in_ms(clock_of_form(), 4), now;

	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(wait_until(end), ETIMEDOUT);
	now = in_ms(clock_of_form(), 0);
	assert_true(now.tv_sec > end.tv_sec ||
		    (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec));
	expect_held();
	assert_int_equal(wait_for(-1), ETIMEDOUT);
	expect_held();
	assert_int_equal(wait_until((struct timespec) { .tv_sec = -1 }), ETIMEDOUT);
	assert_int_equal(wait_until((struct timespec) { .tv_sec = 0 }), ETIMEDOUT);
	expect_held();
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void it_times_out_with_the_mutex(void **state)
{
	UNUSED(state);
	in_each_form(time_out);
}

static void bad_time(void)
{
	struct timespec end = in_ms(clock_of_form(), 1000);

	assert_ok(pthread_mutex_lock(&mutex));
	end.tv_nsec = 1000000000;
	assert_int_equal(wait_until(end), EINVAL);
	end.tv_nsec = -1;
	assert_int_equal(wait_until(end), EINVAL);
	end.tv_nsec = 0;
	assert_int_equal(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &end),
			 EINVAL);
	expect_held();
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void wrong_times_are_refused(void **state)
{
	UNUSED(state);
	in_each_form(bad_time);
}

static void wait_long(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	assert_ok(wait_for(PLF_HUNG_S * 1000));
	expect_held();
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void be_signalled(void)
{
	struct member member;

	forget_notes();
	start(&member, 20, wait_long, NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_cond_signal(&cond));
	note('s');
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&member);
	assert_string_equal(notes(), "(s)");
}

static void a_signal_in_time(void **state)
{
	UNUSED(state);
	in_each_form(be_signalled);
}

/* If another thread holds the mutex at the end of the time, the wait ends when it is free. */
static void wait_shortly(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	assert_int_equal(wait_for(1), ETIMEDOUT);
	expect_held();
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Take the mutex while MEMBER waits. False: the machine stopped until the time was over. */
static bool lock_in_time(struct member *member)
{
	forget_notes();
	start(member, 20, wait_shortly, NULL);
	assert_ok(pthread_mutex_lock(&mutex));
	if (strchr(notes(), ')') == NULL)
		return true;
	assert_ok(pthread_mutex_unlock(&mutex));
	join(member);
	return false;
}

static void over_while_held(void)
{
	struct member member;

	for (int asleep = 0; asleep < 2; asleep++) {
		plf_await(lock_in_time(&member));
		if (asleep)
			sleep_ms(3);
		else
			stay_busy_us(3000);
		note('|');
		assert_ok(pthread_mutex_unlock(&mutex));
		join(&member);
		assert_string_equal(notes(), "(|)");
	}
}

static void over_while_another_holds_it(void **state)
{
	UNUSED(state);
	in_each_form(over_while_held);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(it_times_out_with_the_mutex),
		team_test(wrong_times_are_refused),
		team_test(a_signal_in_time),
		team_test(over_while_another_holds_it),
	};

	return cmocka_run_group_tests_name("condition time", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
