/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The ceiling rule, among threads with the hook. A thread that an open section covers runs none of
 * its own code until the section ends. A thread above the ceiling runs at once. Each thread is
 * blocked at most once.
 */
#include "team.h"

#include <unistd.h>

static plf_mutex_t outer, inner;
static plf_sem_t sem;

static int setup(void **state)
{
	assert_ok(plf_sem_init(&sem, 0));
	assert_ok(plf_mutex_init(&outer, 40));
	assert_ok(plf_mutex_init(&inner, 40));
	return attach_main(state);
}

#define rule_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void wait_then_run(void *name)
{
	assert_ok(plf_sem_wait(&sem));
	note(*(char *)name);
}

/* A thread of that priority arrives during a section of ceiling 40. */
static void arrival(int priority, const char *order, int boosted)
{
	struct member member;
	int self = gettid();

	forget_notes();
	start(&member, priority, wait_then_run, "m");
	assert_ok(plf_mutex_lock(&outer));
	note('(');
	assert_int_equal(kernel_priority(self), on_classic_protocol() ? 40 : LOW);
	assert_ok(plf_sem_post(&sem));
	assert_int_equal(kernel_priority(self), boosted);
	note(')');
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(self), LOW);
	join(&member);
	assert_string_equal(notes(), order);
}

static void covered_threads_wait_for_the_end(void **state)
{
	(void)state;
	arrival(20, "()m", on_ceiling_stack() ? 20 : 40);
	arrival(40, "()m", 40);
	arrival(41, "(m)", on_ceiling_stack() ? LOW : 40);
}

/* Only the section that covers a thread delays it, not the section around that. */
static void inner_section_is_waited_for_alone(void **state)
{
	struct member member;

	(void)state;
	assert_ok(plf_mutex_setceiling(&outer, 15, NULL));
	start(&member, 20, wait_then_run, "m");
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_mutex_lock(&inner));
	note('(');
	assert_ok(plf_sem_post(&sem));
	note(')');
	assert_ok(plf_mutex_unlock(&inner));
	note('o');
	assert_int_equal(kernel_priority(gettid()), on_ceiling_stack() ? LOW : 15);
	assert_ok(plf_mutex_unlock(&outer));
	join(&member);
	assert_string_equal(notes(), "()mo");
}

static void wait_then_count(void *unused)
{
	struct plf_stats stats;

	wait_then_run("m");
	(void)unused;
	assert_ok(plf_get_stats(&stats));
	assert_int_equal(stats.gate_waits, on_ceiling_stack());
}

/*
 * An inner section of a low ceiling does not hide the outer section, and its end wakes no thread.
 */
static void outer_section_is_waited_for_once(void **state)
{
	struct member member;

	(void)state;
	assert_ok(plf_mutex_setceiling(&inner, 15, NULL));
	start(&member, 20, wait_then_count, NULL);
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_mutex_lock(&inner));
	assert_ok(plf_sem_post(&sem));
	note('i');
	assert_ok(plf_mutex_unlock(&inner));
	note('o');
	assert_ok(plf_mutex_unlock(&outer));
	join(&member);
	assert_string_equal(notes(), "iom");
}

static void several_go_on_by_priority(void **state)
{
	struct member member[3];

	(void)state;
	start(&member[0], 20, wait_then_run, "a");
	start(&member[1], 40, wait_then_run, "c");
	start(&member[2], 30, wait_then_run, "b");
	assert_ok(plf_mutex_lock(&outer));
	for (int i = 0; i < 3; i++)
		assert_ok(plf_sem_post(&sem));
	assert_int_equal(kernel_priority(gettid()), 40);
	assert_string_equal(notes(), "");
	assert_ok(plf_mutex_unlock(&outer));
	assert_string_equal(notes(), "cba");
	for (int i = 0; i < 3; i++)
		join(&member[i]);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void lock_both_the_other_way_round(void *unused)
{
	struct plf_stats before, after;

	(void)unused;
	assert_ok(plf_get_stats(&before));
	assert_ok(plf_sem_wait(&sem));
	assert_ok(plf_mutex_lock(&inner));
	assert_ok(plf_mutex_lock(&outer));
	note('h');
	assert_ok(plf_mutex_unlock(&outer));
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_get_stats(&after));
	assert_true(after.gate_waits - before.gate_waits <= 1);
	assert_int_equal(after.gate_waits - before.gate_waits, on_ceiling_stack());
}

static void blocked_once_and_no_deadlock(void **state)
{
	struct member high;

	(void)state;
	start(&high, 30, lock_both_the_other_way_round, NULL);
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_sem_post(&sem));
	assert_ok(plf_mutex_lock(&inner));
	note('l');
	assert_ok(plf_mutex_unlock(&inner));
	assert_ok(plf_mutex_unlock(&outer));
	join(&high);
	assert_string_equal(notes(), "lh");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		rule_test(covered_threads_wait_for_the_end),
		rule_test(inner_section_is_waited_for_alone),
		rule_test(outer_section_is_waited_for_once),
		rule_test(several_go_on_by_priority),
		rule_test(blocked_once_and_no_deadlock),
	};

	return cmocka_run_group_tests_name("ceiling rule", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
