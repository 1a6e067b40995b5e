/* SPDX-License-Identifier: MIT */
/* Run steps burn time. The clock has known differences. */
#include "../spin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIFFERENCES = 4000, ACTIVATIONS = 3, USUAL_NS = 300, LIMIT_NS = 1200 };

/* Each look at the clock adds the next known difference, or afterwards the usual difference. */
static int64_t differences[DIFFERENCES];
static size_t known, looks;
static int64_t clock_ns, usual_ns = USUAL_NS;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	assert_int_equal(clock, CLOCK_MONOTONIC);
	clock_ns += looks < known ? differences[looks] : usual_ns;
	looks++;
	*time = timespec_of(clock_ns);
	return 0;
}

static struct event events[2 * DIFFERENCES];
static uint16_t slowest[ACTIVATIONS];
static struct task_record record;
static struct log task_log;
static const struct pace pace = { .turn_ns = USUAL_NS, .most_ns = GAP_NS };
static struct spin spinner;

static void begin(size_t gap_room)
{
	memset(slowest, 0, sizeof(slowest));
	record =
		(struct task_record) { .events = events, .gap_room = gap_room, .slowest = slowest };
	task_log = (struct log) { .record = &record, .zero_ns = 1000, .seen_ns = 0 };
	spinner = (struct spin) { .pace = &pace, .recent_ns = pace.turn_ns };
	clock_ns = 1000;
	known = looks = 0;
}

static void next(int64_t difference_ns)
{
	assert_true(known < DIFFERENCES);
	differences[known++] = difference_ns;
}

static void spin(int64_t time_ns)
{
	spin_for(&spinner, time_ns, &task_log);
}

static int64_t difference(size_t look)
{
	return look < known ? differences[look] : USUAL_NS;
}

static int64_t clamped(int64_t value, int64_t least, int64_t most)
{
	if (value < least)
		return least;
	return value < most ? value : most;
}

/* Check by the definition, with all differences that were seen. */
static void expect_burnt(int64_t time_ns)
{
	int64_t sum_ns = 0, last_ns = 0, now = 0, recent_ns = USUAL_NS;
	size_t gap = 0;

	for (size_t look = 0; look < looks; look++) {
		int64_t took_ns = difference(look);

		if (took_ns <= clamped(4 * recent_ns, 1000, GAP_NS))
			sum_ns += last_ns = took_ns;
		if (took_ns <= GAP_NS)
			recent_ns += (took_ns - recent_ns) / 8;
		if (took_ns > GAP_NS) {
			assert_int_equal(events[gap].kind, EVENT_SUSPEND);
			assert_int_equal(events[gap].time_ns, now);
			assert_int_equal(events[gap + 1].kind, EVENT_RESUME);
			assert_int_equal(events[gap + 1].time_ns, now + took_ns);
			gap += 2;
		}
		now += took_ns;
	}
	assert_int_equal(record.stored, gap);
	assert_int_equal(task_log.seen_ns, now);
	assert_true(sum_ns >= time_ns);
	assert_true(sum_ns - last_ns < time_ns);
}

static void work_is_the_sum_of_short_differences(void **state)
{
	(void)state;
	begin(10);
	spin(3000);
	assert_int_equal(looks, 10);
	expect_burnt(3000);
}

static void no_work_is_no_turn(void **state)
{
	(void)state;
	begin(10);
	spin(0);
	assert_int_equal(looks, 0);
}

static void a_gap_is_no_work(void **state)
{
	(void)state;
	begin(10);
	next(USUAL_NS);
	next(20 * NS_PER_MS);
	spin(3000);
	assert_int_equal(looks, 11);
	assert_int_equal(record.stored, 2);
	expect_burnt(3000);
}

static void the_longest_short_turn_is_work(void **state)
{
	(void)state;
	begin(10);
	next(LIMIT_NS);
	spin(LIMIT_NS);
	assert_int_equal(looks, 1);
	expect_burnt(LIMIT_NS);
}

/* 2500 ns, as a tick takes in the virtual machine. */
static void a_longer_turn_is_none(void **state)
{
	(void)state;
	begin(10);
	next(LIMIT_NS + 1);
	next(2500);
	spin(LIMIT_NS + 1);
	assert_int_equal(looks, 7);
	assert_int_equal(record.stored, 0);
	expect_burnt(LIMIT_NS + 1);
}

static void the_shortest_gap_is_noted(void **state)
{
	(void)state;
	begin(10);
	next(GAP_NS);
	next(GAP_NS + 1);
	spin(USUAL_NS);
	assert_int_equal(record.stored, 2);
	expect_burnt(USUAL_NS);
}

/*
 * In a slow phase a step makes fewer turns, and takes no longer: after two turns the limit has
 * risen.
 */
static void a_slow_processor_works_as_long(void **state)
{
	(void)state;
	begin(10);
	for (int i = 0; i < 1000; i++)
		next(14 * USUAL_NS);
	spin(NS_PER_MS);
	assert_int_equal(looks, 241); /* 239 turns are a millisecond */
	assert_int_equal(record.stored, 0);
	expect_burnt(NS_PER_MS);
}

/* Stops, however many, do not make the next stop look short. */
static void stops_are_not_learnt(void **state)
{
	(void)state;
	begin(100);
	for (int i = 0; i < 50; i++)
		next(GAP_NS + 1);
	spin(USUAL_NS);
	assert_int_equal(looks, 51);
	assert_int_equal(record.stored, 100);
}

/* With a slow clock, no turn is above GAP_NS because of the clock alone. */
static void a_slow_clock_has_turns(void **state)
{
	const struct pace slow = { .turn_ns = 10000, .most_ns = 20000 };

	(void)state;
	begin(10);
	spinner = (struct spin) { .pace = &slow, .recent_ns = slow.turn_ns };
	for (int i = 0; i < 10; i++)
		next(10000);
	spin(100000);
	assert_int_equal(looks, 10);
	assert_int_equal(record.stored, 0);
}

static int64_t drawn(void)
{
	switch (rand() % 8) {
	case 0:
		return LIMIT_NS + rand() % 3 - 1;
	case 1:
		return GAP_NS + rand() % 3 - 1;
	case 2:
		return 1 + rand() % (20 * NS_PER_MS);
	}
	return 1 + rand() % (2 * USUAL_NS);
}

static void any_differences_as_by_hand(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 200; round++) {
		int64_t time_ns = 1 + rand() % 500000;

		begin(DIFFERENCES);
		while (known < 500)
			next(drawn());
		spin(time_ns);
		expect_burnt(time_ns);
	}
}

static void gaps_without_room_are_counted(void **state)
{
	(void)state;
	begin(1);
	next(NS_PER_MS);
	next(NS_PER_MS);
	next(NS_PER_MS);
	spin(1000);
	assert_int_equal(record.stored, 2);
	assert_int_equal(record.lost_gaps, 2);
}

/* Make the next looks differ by this, whatever was seen before. */
static void later(int64_t difference_ns, int count)
{
	while (known < looks)
		next(USUAL_NS);
	for (int i = 0; i < count; i++)
		next(difference_ns);
}

/* A speed window may reach from one step to the next, but not into the next activation. */
static void each_activation_has_its_slowest_speed(void **state)
{
	(void)state;
	begin(10);
	log_activation(&task_log, 0);
	spin(6000);
	later(900, 5);
	spin(4500);
	assert_int_equal(slowest[0], 23); /* 25 turns in 10,500 ns */
	spin(10200);
	assert_int_equal(slowest[0], 23); /* faster windows do not count */
	log_activation(&task_log, 1);
	later(900, 11);
	spin(9900);
	log_activation(&task_log, 2);
	spin(20100);
	assert_int_equal(slowest[1], NO_SPEED);
	assert_int_equal(slowest[2], 33);
	assert_int_equal(slowest_speed(&record.speeds), 23);
	assert_int_equal(median_speed(&record.speeds), 33);
}

static void a_gap_is_in_no_speed(void **state)
{
	(void)state;
	begin(10);
	for (int i = 0; i < 20; i++)
		next(USUAL_NS);
	next(NS_PER_MS);
	spin(10200);
	assert_int_equal(slowest[0], 33);
}

static void speeds_have_limits(void **state)
{
	struct speed_window window = { 0, 0 };
	struct speeds none = { { 0 } };

	(void)state;
	assert_int_equal(slowest_speed(&none), NO_SPEED);
	assert_int_equal(median_speed(&none), NO_SPEED);
	assert_int_equal(fill_window(&window, 90000), 1);
	for (int i = 1; i < 10000; i++)
		assert_int_equal(fill_window(&window, 1), NO_SPEED);
	assert_int_equal(fill_window(&window, 1), SPEEDS_MAX - 1);
}

static void the_median_is_in_the_middle(void **state)
{
	struct speeds speeds = { { 0 } };

	(void)state;
	speeds.windows[7] = 2;
	speeds.windows[50] = 1;
	speeds.windows[90] = 2;
	assert_int_equal(slowest_speed(&speeds), 7);
	assert_int_equal(median_speed(&speeds), 50);
	add_speeds(&speeds, &speeds);
	assert_int_equal(median_speed(&speeds), 50);
	assert_int_equal(speeds.windows[7], 4);
	assert_int_equal(speeds.windows[90], 4);
}

/* A turn is always short if it is not longer than the least gap in the noise of bounds. */
static void the_limit_has_a_floor(void **state)
{
	int64_t recent_ns = 10;

	(void)state;
	assert_true(is_short(&pace, &recent_ns, 1000));
	recent_ns = 10;
	assert_false(is_short(&pace, &recent_ns, 1001));
}

static void a_pace_is_that_of_most_turns(void **state)
{
	struct pace measured;

	(void)state;
	begin(0);
	while (known < 2000)
		next(NS_PER_MS);
	measured = measure_pace();
	assert_int_equal(measured.turn_ns, USUAL_NS);
	assert_int_equal(measured.most_ns, GAP_NS);
	assert_int_equal(measured.chunk_ps, 1000 * USUAL_NS);
	begin(0);
	while (known < 3000) /* the chunks are measured first */
		next(3 * USUAL_NS);
	measured = measure_pace();
	assert_int_equal(measured.turn_ns, USUAL_NS);
	assert_int_equal(measured.chunk_ps, 1000 * 3 * USUAL_NS);
	usual_ns = 10 * NS_PER_US; /* a slow clock */
	measured = measure_pace();
	usual_ns = USUAL_NS;
	assert_int_equal(measured.turn_ns, 10 * NS_PER_US);
	assert_int_equal(measured.most_ns, 20 * NS_PER_US);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(work_is_the_sum_of_short_differences),
		cmocka_unit_test(no_work_is_no_turn),
		cmocka_unit_test(a_gap_is_no_work),
		cmocka_unit_test(the_longest_short_turn_is_work),
		cmocka_unit_test(a_longer_turn_is_none),
		cmocka_unit_test(the_shortest_gap_is_noted),
		cmocka_unit_test(a_slow_processor_works_as_long),
		cmocka_unit_test(stops_are_not_learnt),
		cmocka_unit_test(a_slow_clock_has_turns),
		cmocka_unit_test(any_differences_as_by_hand),
		cmocka_unit_test(gaps_without_room_are_counted),
		cmocka_unit_test(each_activation_has_its_slowest_speed),
		cmocka_unit_test(a_gap_is_in_no_speed),
		cmocka_unit_test(speeds_have_limits),
		cmocka_unit_test(the_median_is_in_the_middle),
		cmocka_unit_test(the_limit_has_a_floor),
		cmocka_unit_test(a_pace_is_that_of_most_turns),
	};

	return cmocka_run_group_tests_name("spin", all, NULL, NULL);
}
