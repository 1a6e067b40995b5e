/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Threads of servers, and the manager's time, step by step. */
#include "server_stage.h"

#include <errno.h>
#include <sched.h>

/* ---- Threads of servers ---------------------------------------------------- */

/* The idler has its priority before it runs for the first time. */
static void idler_has_its_priority_from_the_first(void **state)
{
	struct actor a;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	enter(&a, &first, 1);
	be_at(16);
	expect_idler(SECOND);
	expect_priority(manager, PLF_SERVER_MANAGER);
	be_at(40);
	await(&a);
	finish(&a);
	close_two();
}

/* Ready threads are parked, but sleeping threads are not. The idler keeps out parked threads. */
static void ready_threads_are_parked(void **state)
{
	struct actor awake, asleep, other;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&asleep, &first, 2);
	join_in(&awake, &first, 1);
	fall_asleep(&asleep, 200);
	await_idler_asleep();
	be_at(16);
	expect_priority(awake.member.tid, 0);
	expect_priority(asleep.member.tid, FIRST + 2);
	expect_idler(SECOND);
	join_in(&other, &second, 1);
	assert_int_equal(stats_of(&first).priority_changes, 2);
	be_at(36);
	expect_priority(other.member.tid, 0);
	be_at(40);
	expect_priority(awake.member.tid, FIRST + 1);
	expect_priority(other.member.tid, 0);
	expect_idler(FIRST);
	be_at(56);
	expect_priority(awake.member.tid, 0);
	expect_priority(other.member.tid, SECOND + 1);
	assert_int_equal(stats_of(&first).priority_changes, 9);
	expect_events("1D16 1L16 2G16 2D36 2L36 1R40 2R40 1G40 1D56 1L56 2G56 ");
	finish(&awake);
	finish(&other);
	be_at(200);
	finish(&asleep);
	close_two();
}

static void note_step(struct actor *a)
{
	note(a->name);
}

/*
 * Threads of the same priority, in whatever order they were ready. If the last leaves, the others
 * stay.
 */
static void parked_threads_come_back_in_the_order_of_joining(void **state)
{
	struct actor a, b, c;

	(void)state;
	forget_notes();
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	join_in(&b, &first, 1);
	join_in(&c, &first, 1);
	a.name = 'a';
	b.name = 'b';
	c.name = 'c';
	be_at(16);
	order(&c, note_step);
	order(&b, note_step);
	order(&a, note_step);
	be_at(40);
	await(&a);
	await(&b);
	await(&c);
	assert_string_equal(notes(), "abc");
	have_ok(&c, leave_step);
	be_at(56);
	expect_priority(a.member.tid, 0);
	expect_priority(b.member.tid, 0);
	expect_priority(c.member.tid, FIRST + 1);
	finish(&a);
	finish(&b);
	finish(&c);
	close_two();
}

static void thread_of_a_server_with_budget_left_is_not_parked(void **state)
{
	struct actor a;

	(void)state;
	open_apart(PLF_SERVER_IDLING);
	join_in(&a, &second, 1);
	await_idler_asleep();
	assert_ok(plf_server_begin(&first, at(40))); /* has the manager look */
	assert_true(is_asleep(idler));
	be_at(40);
	expect_priority(a.member.tid, SECOND + 1);
	expect_idler(FIRST);
	be_at(61);
	expect_priority(a.member.tid, 0);
	expect_events("1R40 2L40 1G40 1D56 1L56 2G56 2D61 2L61 ");
	finish(&a);
	close_two();
}

static void sleeper_stops_at_the_gate(void **state)
{
	struct actor a, later;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	join_in(&later, &first, 2);
	fall_asleep(&a, 20);
	fall_asleep(&later, 39);
	be_at(20);
	await_member_asleep(&a);
	interrupt(&a);
	be_at(36);
	expect_priority(a.member.tid, FIRST + 1);
	await_idler_asleep();
	be_at(39);
	await_member_asleep(&later);
	be_at(40);
	await(&a);
	await(&later);
	assert_ok(a.found);
	assert_ok(later.found);
	assert_int_equal(stats_of(&first).priority_changes, 0);
	be_at(56);
	expect_priority(a.member.tid, 0);
	finish(&a);
	finish(&later);
	close_two();
}

/* After the gate the thread may set its timer: see plf_supply_sleeps_till(). */
static void parked_thread_goes_to_sleep_behind_the_gate(void **state)
{
	struct actor a;
	unsigned looks = 0;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	go_to(at(36) + 4 * MS * 19 / 20); /* now the thread may run */
	fall_asleep(&a, 70);
	expect_priority(a.member.tid, 0);
	assert_false(is_awaited(at(70)));
	be_at(40);
	while (!is_awaited(at(70)))
		look_for_stall(&looks);
	be_at(56);
	expect_priority(a.member.tid, FIRST + 1);
	be_at(70);
	await_member_asleep(&a);
	be_at(80);
	await(&a);
	assert_ok(a.found);
	finish(&a);
	close_two();
}

/* While another server has the CPU, the gate of a new server is shut from the beginning. */
static void new_server_waits_for_its_turn(void **state)
{
	struct actor a;

	(void)state;
	open_server(&first, "1", FIRST, FIRST_MS, PLF_SERVER_IDLING);
	find_manager();
	be_at(1);
	assert_ok(plf_server_init(&second, 0, SECOND, PERIOD * MS, MS, PLF_SERVER_IDLING));
	assert_ok(plf_server_watch(&second, write_down, "2"));
	enter(&a, &second, 1);
	await_member_asleep(&a);
	be_at(15);
	await_member_asleep(&a);
	be_at(16);
	await(&a);
	assert_ok(a.found);
	be_at(41);
	expect_events("1R0 1G0 1D16 1L16 2G16 2D17 2L17 1R40 1G40 2R41 ");
	finish(&a);
	close_two();
}

/* The thread would run, but a frame on the server's stack covers it: see S1. */
static void mutex_step(struct actor *a)
{
	plf_mutex_t mutex;

	assert_ok(plf_mutex_init(&mutex, 2));
	a->found = plf_mutex_lock(&mutex);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void thread_that_is_raised_stops_at_the_gate(void **state)
{
	struct actor a;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	be_at(20);
	raise_above_all(&a);
	order(&a, mutex_step);
	await_member_asleep(&a);
	be_at(40);
	await(&a);
	assert_ok(a.found);
	finish(&a);
	close_two();
}

/* The place goes to a thread that has no server. */
static void attach_and_end(void *unused)
{
	(void)unused;
	assert_ok(plf_attach(5, 0, test_flags));
}

static void thread_that_leaves_is_not_parked_any_more(void **state)
{
	struct member plain;
	struct actor a, b;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	join_in(&b, &first, 2);
	be_at(20);
	assert_int_equal(plf_server_destroy(&first), EBUSY);
	raise_above_all(&a);
	have_ok(&a, leave_step);
	expect_priority(a.member.tid, FIRST + 1);
	start_stranger(&plain, MAIN + 1, attach_and_end, NULL);
	raise_member(&plain);
	join(&plain);
	be_at(40);
	expect_priority(b.member.tid, FIRST + 2);
	be_at(56);
	expect_priority(a.member.tid, FIRST + 1);
	expect_priority(b.member.tid, 0);
	finish(&a);
	finish(&b);
	close_two();
}

/* Each of these deaths is found by another function. */
static void thread_that_vanished_is_no_member(void **state)
{
	struct actor a, b;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	be_dead(&a);
	be_at(16);
	await_idler_asleep();
	assert_int_equal(stats_of(&first).priority_changes, 0);
	be_at(40);
	join_in(&a, &first, 1);
	join_in(&b, &first, 2);
	be_dead(&a);
	be_at(56);
	expect_priority(b.member.tid, 0);
	be_at(78);
	assert_int_equal(stats_of(&first).priority_changes, 3); /* once a, twice the idler */
	raise_above_all(&b);
	be_dead(&b);
	be_at(80);
	assert_int_equal(stats_of(&first).priority_changes, 3);
	join_in(&a, &first, 1);
	be_dead(&a);
	close_two(); /* before a decision */
}

static void dead_threads_behind_a_living_one_are_no_members(void **state)
{
	struct actor a, b, c;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	join_in(&b, &first, 2);
	join_in(&c, &first, 3);
	be_dead(&b);
	be_dead(&c);
	be_at(16);
	expect_priority(a.member.tid, 0);
	assert_int_equal(stats_of(&first).priority_changes, 2); /* the thread, and the idler */
	finish(&a);
	close_two();
}

static void sleep_and_end_step(struct actor *a)
{
	pthread_cancel(pthread_self());
	plf_sleep_until(a->until_ns);
}

/* The place of a thread that was cancelled in its sleep: the next thread there is awake. */
static void place_is_as_new(void **state)
{
	struct actor a;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	a.until_ns = at(10);
	order(&a, sleep_and_end_step);
	join(&a.member);
	join_in(&a, &first, 1);
	be_at(16);
	expect_priority(a.member.tid, 0);
	finish(&a);
	close_two();
}

/* ---- Time of the manager --------------------------------------------------- */

/* That time is for ordinary threads. If no thread is to be kept out, the idler sleeps. */
static void last_twentieth_without_a_server_is_free(void **state)
{
	struct actor a;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	be_at(16);
	join_in(&a, &second, 1);
	be_at(36);
	expect_idler(1);
	go_to(at(36) + 4 * MS * 19 / 20 - 1);
	expect_idler(1);
	go_to(at(36) + 4 * MS * 19 / 20);
	await_idler_asleep();
	finish(&a);
	close_two();
}

/* The manager is late, so the idler goes on for a while. */
static void late_manager_decides_for_the_instants_due(void **state)
{
	struct actor a;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	join_in(&a, &first, 1);
	be_at(16);
	leap_to(at(37) - 1);
	expect_idler(SECOND);
	leap_to(at(37));
	await_idler_asleep();
	leap_to(at(41));
	be_at(41);
	expect_events("1D16 1L16 2G16 2D36 2L36 1R40 2R40 1G40 ");
	assert_int_equal(stats_of(&first).latest_ns, 5 * MS);
	expect_priority(a.member.tid, FIRST + 1);
	be_at(60);
	assert_int_equal(stats_of(&first).latest_ns, 5 * MS);
	finish(&a);
	close_two();
}

static void stats_are_exact(void **state)
{
	struct plf_server_stats before, after;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	be_at(6);
	before = stats_of(&first);
	assert_int_equal(before.left_ns, 10 * MS);
	assert_int_equal(before.manager_ns, 0);
	assert_int_equal(before.latest_ns, 0);
	assert_int_equal(stats_of(&second).left_ns, SECOND_MS * MS);
	leap_to(at(17));
	assert_int_equal(stats_of(&first).left_ns, 0);
	charge_reading(manager, 1000);
	be_at(30);
	charge_reading(0, 0);
	after = stats_of(&first);
	assert_int_equal(after.decisions, before.decisions + 1);
	assert_int_equal(after.manager_ns, 1000);
	assert_int_equal(stats_of(&second).left_ns, 6 * MS);
	be_at(80);
	assert_int_equal(stats_of(&first).decisions, after.decisions + 5);
	assert_int_equal(stats_of(&first).calls, 0);
	close_two();
}

/* The periods count from an instant that is past, present or to come. */
static void begin_puts_all_periods_off(void **state)
{
	(void)state;
	open_two(PLF_SERVER_IDLING);
	be_at(5);
	assert_ok(plf_server_begin(&first, at(5)));
	be_at(6);
	expect_events("1L5 2G5 1R5 2L5 1G5 ");
	assert_ok(plf_server_begin(&first, at(6) - 2 * PERIOD * MS));
	expect_events("1L6 2G6 1R6 2L6 1G6 ");
	assert_ok(plf_server_begin(&first, at(6) - 2 * PERIOD * MS + 1));
	be_at(7);
	expect_events("1L6 2G6 1R6.000001 2L6.000001 1G6.000001 ");
	assert_ok(plf_server_begin(&first, at(20)));
	assert_int_equal(stats_of(&first).left_ns, 0);
	be_at(21);
	expect_events("1L7 2G7 1R20 2L20 1G20 ");
	close_two();
}

/* The manager makes a decision that is due, whatever other threads do before. */
static void calls_of_others_decide_nothing_that_was_due(void **state)
{
	plf_server_t third;

	(void)state;
	open_two(PLF_SERVER_IDLING);
	leap_to(at(16));
	assert_ok(plf_server_begin(&second, at(18)));
	be_at(18);
	expect_events("1D16 1L16 2R18 2G18 ");
	leap_to(at(39));
	assert_ok(plf_server_init(&third, 0, 1, PERIOD * MS, MS, PLF_SERVER_IDLING));
	be_at(39);
	expect_events("2D38 2L38 ");
	leap_to(at(41));
	assert_ok(plf_server_destroy(&third));
	be_at(41);
	expect_events("1R40 1G40 ");
	close_two();
}

/* Even before the manager decides again, the next server's budget burns. */
static void server_that_goes_hands_on(void **state)
{
	(void)state;
	open_two(PLF_SERVER_IDLING);
	be_at(10);
	assert_ok(plf_server_destroy(&first));
	assert_int_equal(first.number, 0);
	expect_events("1L10 2G10 ");
	be_at(40);
	expect_events("2D30 2L30 2R40 2G40 ");
	assert_ok(plf_server_watch(&second, NULL, NULL));
	be_at(80);
	expect_events("");
	assert_ok(plf_server_destroy(&second));
	await_threads(1);
}

static void hold_and_sleep(void *mutex)
{
	assert_ok(plf_attach(1, 0, test_flags));
	assert_ok(plf_mutex_lock(mutex));
	assert_ok(plf_sleep_until(at(10)));
	assert_ok(plf_mutex_unlock(mutex));
}

/* The thread has no server at whose gate the hook could stop it. */
static void thread_of_no_server_waits_for_a_section(void **state)
{
	struct member holder, waiter;
	plf_mutex_t mutex;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, 9));
	start_stranger(&holder, MAIN + 1, hold_and_sleep, &mutex);
	await_asleep(&holder);
	start_stranger(&waiter, MAIN + 1, attach_and_end, NULL);
	await_asleep(&waiter);
	be_at(10);
	join(&holder);
	join(&waiter);
}

static int all(void)
{
	const struct CMUnitTest tests[] = {
		step_test(idler_has_its_priority_from_the_first),
		step_test(ready_threads_are_parked),
		step_test(parked_threads_come_back_in_the_order_of_joining),
		step_test(thread_of_a_server_with_budget_left_is_not_parked),
		step_test(sleeper_stops_at_the_gate),
		step_test(parked_thread_goes_to_sleep_behind_the_gate),
		step_test(new_server_waits_for_its_turn),
		step_test(thread_that_is_raised_stops_at_the_gate),
		step_test(thread_that_leaves_is_not_parked_any_more),
		step_test(thread_that_vanished_is_no_member),
		step_test(dead_threads_behind_a_living_one_are_no_members),
		step_test(place_is_as_new),
		step_test(last_twentieth_without_a_server_is_free),
		step_test(late_manager_decides_for_the_instants_due),
		step_test(stats_are_exact),
		step_test(begin_puts_all_periods_off),
		step_test(calls_of_others_decide_nothing_that_was_due),
		step_test(server_that_goes_hands_on),
		step_test(thread_of_no_server_waits_for_a_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, all);
}
