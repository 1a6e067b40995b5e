/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The place of a thread: its owner, when another thread gets it, and how threads are counted. */
#include "../../real_time/test/patience.h"
#include "team.h"

#include <plafond/slow.h>

#include <time.h>
#include <unistd.h>

enum { OWNER = 50, WAITER = 20, HEIR = 60, CEILING = 50 };

static plf_mutex_t mutex;
static struct member waiter, heir;
static struct plf_thread *left;
static bool attached_in_its_place;
static uint64_t gate_waits; /* counted for the last waiter */

static int setup(void **state)
{
	assert_ok(plf_mutex_init(&mutex, CEILING));
	return attach_main(state);
}

#define slot_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

/* The owner lets the waiter go while it sleeps, but the waiter may run late: see attach_anew(). */
static void wait_for_owner(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	note('w');
	assert_ok(plf_get_stats(&stats));
	gate_waits = stats.gate_waits;
	assert_ok(plf_mutex_unlock(&mutex));
}

static int64_t cpu_time_ns(const struct member *member)
{
	struct timespec used;
	clockid_t clock;

	assert_ok(pthread_getcpuclockid(member->thread, &clock));
	assert_ok(clock_gettime(clock, &used));
	return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

/*
 * The waiter was let go, but has not run. It comes back to the gate at which it slept. If threads
 * also sleep for another reason (an emulator's own locks), the waiter may not be at the gate yet,
 * or may run in between. Then the test sees nothing.
 */
static void attach_anew(void *is_seen)
{
	int64_t before_ns;

	left = plf_self;
	assert_ok(plf_mutex_lock(&mutex));
	await_asleep(&waiter);
	before_ns = cpu_time_ns(&waiter);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_detach());
	assert_ok(plf_attach(OWNER, 0, test_flags));
	*(bool *)is_seen = cpu_time_ns(&waiter) == before_ns;
	attached_in_its_place = plf_self == left;
}

static void get_the_place_that_was_left(void *unused)
{
	(void)unused;
	assert_ptr_equal(plf_self, left);
}

/* False: the waiter did not wait, or ran too early. */
static bool is_visited_place_kept(void)
{
	struct member owner;
	bool is_seen;

	forget_notes();
	waiter = (struct member) { 0 };
	start(&owner, OWNER, attach_anew, &is_seen);
	start(&waiter, WAITER, wait_for_owner, NULL);
	join(&owner);
	join(&waiter);
	assert_string_equal(notes(), "w");
	if (!is_seen || gate_waits == 0)
		return false;
	assert_int_equal(gate_waits, 1);
	assert_false(attached_in_its_place);
	start(&heir, OWNER, get_the_place_that_was_left, NULL);
	join(&heir);
	return true;
}

static void visited_place_is_given_away_later(void **state)
{
	(void)state;
	plf_await(is_visited_place_kept());
}

static void end(void *unused)
{
	(void)unused;
}

/* The dead thread is about to leave. The thread that attaches now must not count it as gone. */
static void find_and_start_heir(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&mutex));
	start(&heir, HEIR, end, NULL);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* The thread has the place of a thread that died inside, but is not taken for dead. */
static void inherit_and_start_heir(void *unused)
{
	(void)unused;
	assert_ptr_equal(plf_self, left);
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	start(&heir, HEIR, end, NULL);
	join(&heir);
}

static void leave_inside(void *unused)
{
	(void)unused;
	left = plf_self;
	assert_ok(plf_mutex_lock(&mutex));
}

static void heir_of_a_place_is_counted_once(void **state)
{
	const char *backend = plf_backend();
	struct member owner;

	(void)state;
	start(&owner, WAITER, leave_inside, NULL);
	join(&owner);
	start(&waiter, WAITER, inherit_and_start_heir, NULL);
	join(&waiter);
	assert_string_equal(plf_backend(), backend);
}

static void leave(void *unused)
{
	(void)unused;
	left = plf_self;
}

/* The frames in that place still lead down the stack that the place served. */
static void get_no_place_of_another_stack(void *unused)
{
	(void)unused;
	if (on_ceiling_stack())
		assert_ptr_not_equal(plf_self, left);
	else
		assert_ptr_equal(plf_self, left);
}

static void place_serves_the_stack_of_those_that_are_left(void **state)
{
	(void)state;
	start(&waiter, WAITER, leave, NULL);
	join(&waiter);
	start_on(&heir, 1, WAITER, get_no_place_of_another_stack, NULL);
	join(&heir);
	start(&heir, WAITER, get_the_place_that_was_left, NULL);
	join(&heir);
}

/* When a CPU's last thread leaves, its place is for any stack. */
static void place_serves_any_stack_when_none_is_left(void **state)
{
	(void)state;
	leave(NULL);
	assert_ok(plf_detach());
	for (int cpu = 1; cpu >= 0; cpu--) {
		assert_ok(plf_attach(LOW, cpu, test_flags));
		assert_ptr_equal(plf_self, left);
		assert_ok(plf_detach());
	}
	assert_ok(plf_attach(LOW, 0, test_flags));
}

static void wait_and_leave_counts(void *unused)
{
	left = plf_self;
	wait_for_owner(unused);
}

static void begin_with_no_counts(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	assert_ptr_equal(plf_self, left);
	assert_ok(plf_get_stats(&stats));
	assert_int_equal(stats.gate_waits, 0);
}

/* False: the waiter did not wait. */
static bool is_heir_without_counts(void)
{
	assert_ok(plf_mutex_lock(&mutex));
	start(&waiter, WAITER, wait_and_leave_counts, NULL);
	await_asleep(&waiter);
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
	start(&heir, HEIR, begin_with_no_counts, NULL);
	join(&heir);
	return gate_waits > 0;
}

static void heir_of_a_place_counts_anew(void **state)
{
	(void)state;
	plf_await(is_heir_without_counts());
}

/* Lock and unlock: on the ceiling stack, the calls need only the inline half. */
static void fast_path_is_open(void **state)
{
	uint64_t free;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex)); /* the first lock shows the ceiling */
	assert_ok(plf_mutex_unlock(&mutex));
	if (!on_ceiling_stack())
		return;
	assert_int_equal(plf_enter_robust(plf_self, &mutex.word, &free), PLF_DONE);
	assert_int_equal(plf_leave_robust(plf_self, &mutex.word), PLF_DONE);
	assert_ok(plf_detach());
	assert_ok(plf_attach(LOW + 1, 0, test_flags)); /* the same place with another priority */
	assert_int_equal(plf_enter_robust(plf_self, &mutex.word, &free), PLF_DONE);
	assert_int_equal(plf_leave_robust(plf_self, &mutex.word), PLF_DONE);
}

static void fast_path_of_a_section_in_another_is_open(void **state)
{
	plf_mutex_t inner = PLF_MUTEX_INITIALIZER(CEILING);
	struct plf_thread *t = plf_self;
	struct plf_frame *f;
	uint64_t free = 0;

	(void)state;
	assert_ok(plf_mutex_lock(&inner));
	assert_ok(plf_mutex_unlock(&inner));
	if (!on_ceiling_stack())
		return;
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_enter_robust(t, &inner.word, &free), PLF_NESTED);
	assert_int_equal(plf_enter_nested(t, &inner.word, free, &plf_by_cas), PLF_DONE);
	f = plf_nested_holder(t, &inner.word);
	assert_int_equal(plf_leave_nested(t, &inner.word, f, &plf_by_cas), PLF_DONE);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void end_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sleep_ms(5);
}

static void every_thread_is_counted_once(void **state)
{
	const char *backend = plf_backend();
	struct member owner;

	(void)state;
	assert_string_not_equal(backend, "none");
	for (int i = 0; i < 3; i++) {
		assert_ok(plf_mutex_init(&mutex, CEILING));
		start(&owner, WAITER, end_inside, NULL);
		start(&waiter, WAITER + 10, find_and_start_heir, NULL);
		join(&owner);
		join(&waiter);
		join(&heir);
		assert_string_equal(plf_backend(), backend);
	}
	assert_ok(plf_detach());
	assert_string_equal(plf_backend(), "none");
	assert_ok(plf_attach(LOW, 0, test_flags));
}

/* The thread is SCHED_OTHER, also after a section. */
static void use_mutex(void *unused)
{
	(void)unused;
	assert_int_equal(kernel_priority(gettid()), 0);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(kernel_priority(gettid()), on_classic_protocol() ? CEILING : 0);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), 0);
}

static void ordinary_thread_is_ordinary_again(void **state)
{
	struct member member;

	(void)state;
	start(&member, 0, use_mutex, NULL);
	join(&member);
}

static void attach_and_note(void *unused)
{
	(void)unused;
	note('b');
	assert_ok(plf_attach(WAITER, 0, test_flags));
	note('a');
}

/*
 * A section covers the thread from the beginning: once attached, it runs no code before the section
 * ends.
 */
static void attach_waits_for_the_section(void **state)
{
	struct member comer;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	note('(');
	start_stranger(&comer, CEILING + 1, attach_and_note, NULL);
	note(')');
	assert_ok(plf_mutex_unlock(&mutex));
	join(&comer);
	assert_string_equal(notes(), "(b)a");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		slot_test(visited_place_is_given_away_later),
		slot_test(every_thread_is_counted_once),
		slot_test(heir_of_a_place_is_counted_once),
		slot_test(heir_of_a_place_counts_anew),
		slot_test(place_serves_the_stack_of_those_that_are_left),
		slot_test(place_serves_any_stack_when_none_is_left),
		slot_test(fast_path_is_open),
		slot_test(fast_path_of_a_section_in_another_is_open),
		slot_test(ordinary_thread_is_ordinary_again),
		slot_test(attach_waits_for_the_section),
	};

	return cmocka_run_group_tests_name("slots", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
