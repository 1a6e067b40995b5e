/* SPDX-License-Identifier: MIT */
/* listener.c alone, on a clock of this test: bursts, rests, and the gaps in the bursts. */
#include "listener.h"

#include "../../machine/clock.h"
#include "locks.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS   NS_PER_MS
#define ZERO (5 * MS)

enum { MOST = 8 };

static int64_t clock_ns, step_ns;
static int64_t slept_until[MOST], begun[MOST], ended[MOST]; /* relative to ZERO */
static size_t sleeps, looks;
static int answer; /* result of a sleep */

static struct {
	int64_t at_ns, length_ns;
} stops[MOST]; /* the clock jumps there */
static size_t stop_count, stopped;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	clock_ns += step_ns;
	if (stopped < stop_count && clock_ns >= ZERO + stops[stopped].at_ns)
		clock_ns += stops[stopped++].length_ns;
	*time = timespec_of(clock_ns);
	return 0;
}

static int sleep_until(int64_t time_ns)
{
	assert_true(sleeps < MOST);
	slept_until[sleeps++] = time_ns - ZERO;
	if (clock_ns < time_ns)
		clock_ns = time_ns;
	return answer;
}

const struct lock_kind pthread_locks = { .sleep_until = sleep_until };

static void look(void *state, int64_t end_ns)
{
	assert_ptr_equal(state, &looks);
	begun[looks] = clock_ns - ZERO;
	ended[looks++] = end_ns - ZERO;
	clock_ns = end_ns;
}

static struct listener *begin(int64_t duration_ns)
{
	struct listener *listener = calloc(1, sizeof(*listener));

	assert_non_null(listener);
	listener->duration_ns = duration_ns;
	clock_ns = ZERO;
	step_ns = 0;
	sleeps = looks = stop_count = stopped = 0;
	answer = 0;
	return listener;
}

static void bursts_of(int64_t duration_ns)
{
	struct listener *listener = begin(duration_ns);

	in_bursts(listener, look, &looks);
	free(listener);
}

static void after_each_burst_there_is_a_rest(void **state)
{
	(void)state;
	bursts_of(2500 * MS);
	assert_int_equal(looks, 3);
	for (size_t i = 0; i < looks; i++) {
		assert_int_equal(slept_until[i], 1000 * MS * (int64_t)i);
		assert_int_equal(begun[i], 1000 * MS * (int64_t)i);
	}
	assert_int_equal(ended[0], 700 * MS);
	assert_int_equal(ended[1], 1700 * MS);
	assert_int_equal(ended[2], 2500 * MS);
}

static void the_last_burst_ends_with_the_duration(void **state)
{
	(void)state;
	bursts_of(1700 * MS);
	assert_int_equal(looks, 2);
	assert_int_equal(ended[1], 1700 * MS);
	bursts_of(1701 * MS);
	assert_int_equal(looks, 2);
	assert_int_equal(ended[1], 1700 * MS);
	bursts_of(1000 * MS);
	assert_int_equal(looks, 1);
	bursts_of(1001 * MS);
	assert_int_equal(looks, 2);
	assert_int_equal(ended[1], 1001 * MS);
}

static void a_signal_ends_a_rest_and_no_more(void **state)
{
	struct listener *listener = begin(1500 * MS);

	(void)state;
	answer = EINTR;
	in_bursts(listener, look, &looks);
	assert_int_equal(looks, 2);
	free(listener);
}

/* Gaps of both bursts, less the time of two readings of the clock. A rest is no gap. */
static void gaps_are_longer_than_a_microsecond(void **state)
{
	struct listener *listener = begin(1400 * MS);

	(void)state;
	step_ns = 400;
	stops[0].at_ns = 100 * MS;
	stops[0].length_ns = 600; /* 1000 ns with the reading */
	stops[1].at_ns = 200 * MS;
	stops[1].length_ns = 50000;
	stops[2].at_ns = 1100 * MS;
	stops[2].length_ns = 601;
	stop_count = 3;
	listen_on_cpu(listener);
	assert_int_equal(stopped, 3);
	assert_int_equal(listener->gap_count, 2);
	assert_int_equal(listener->gaps[0].length_ns, 50000);
	assert_int_equal(listener->gaps[1].length_ns, 601);
	assert_in_range(listener->gaps[0].start_ns - ZERO, 200 * MS - 800, 200 * MS);
	assert_in_range(listener->gaps[1].start_ns - ZERO, 1100 * MS - 800, 1100 * MS);
	free(listener);
}

static void gaps_without_room_are_counted(void **state)
{
	struct listener *listener = begin(1000 * MS);

	(void)state;
	listener->gap_count = GAPS_MAX - 1;
	add_gap(listener, 10, 20);
	add_gap(listener, 30, 40);
	add_gap(listener, 50, 60);
	assert_int_equal(listener->gap_count, GAPS_MAX);
	assert_int_equal(listener->lost_gaps, 2);
	assert_int_equal(listener->gaps[GAPS_MAX - 1].start_ns, 10);
	free(listener);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_each_burst_there_is_a_rest),
		cmocka_unit_test(the_last_burst_ends_with_the_duration),
		cmocka_unit_test(a_signal_ends_a_rest_and_no_more),
		cmocka_unit_test(gaps_are_longer_than_a_microsecond),
		cmocka_unit_test(gaps_without_room_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
