/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The limit of the ceiling stack, and the guarantee beyond it. A thread that wakes up without the
 * hook, between the holder's priority and the ceiling, preempts the holder on the ceiling stack.
 * The classic protocol keeps it out. It delays the section by its own work, once per wake-up. When
 * it locks, the original ceiling protocol holds: no deadlock, and at most one blocking.
 */
#include "team.h"

#include <semaphore.h>
#include <time.h>
#include <unistd.h>

enum { WAKEUPS = 20, WORK_US = 500 };

static plf_mutex_t first, second;
static sem_t bare; /* not plf_sem_t, which has the hook */

static int setup(void **state)
{
	assert_ok(sem_init(&bare, 0, 0));
	assert_ok(plf_mutex_init(&first, 40));
	assert_ok(plf_mutex_init(&second, 40));
	return attach_main(state);
}

#define bare_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void run_between(void *unused)
{
	(void)unused;
	assert_ok(sem_wait(&bare));
	note('m');
}

static void expect_order(bool attached, const char *order)
{
	struct member member;

	forget_notes();
	if (attached)
		start(&member, 20, run_between, NULL);
	else
		start_stranger(&member, 20, run_between, NULL);
	assert_ok(plf_mutex_lock(&first));
	note('(');
	assert_ok(sem_post(&bare));
	note(')');
	assert_ok(plf_mutex_unlock(&first));
	join(&member);
	assert_string_equal(notes(), order);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void preempts_the_ceiling_stack_but_not_the_classic_protocol(void **state)
{
	const char *order = on_ceiling_stack() ? "(m)" : "()m";

	(void)state;
	expect_order(false, order);
	expect_order(true, order);
}

static uint64_t cpu_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void work_at_each_wakeup(void *spent_ns)
{
	for (int i = 0; i < WAKEUPS; i++) {
		uint64_t until;

		assert_ok(sem_wait(&bare));
		until = cpu_time_ns() + WORK_US * 1000;
		while (cpu_time_ns() < until)
			;
	}
	*(uint64_t *)spent_ns = cpu_time_ns();
}

/* The section takes no longer than its own time and the intruder's time meanwhile. */
static void delay_is_what_it_runs(void **state)
{
	struct member member;
	uint64_t spent_ns = 0, own_ns, begin_ns, end_ns;

	(void)state;
	start_stranger(&member, 20, work_at_each_wakeup, &spent_ns);
	own_ns = cpu_time_ns();
	begin_ns = plf_now();
	assert_ok(plf_mutex_lock(&first));
	for (int i = 0; i < WAKEUPS; i++)
		assert_ok(sem_post(&bare));
	if (!on_ceiling_stack())
		assert_int_equal(spent_ns, 0);
	else
		assert_true(spent_ns >= (uint64_t)WAKEUPS * WORK_US * 1000);
	assert_ok(plf_mutex_unlock(&first));
	join(&member);
	end_ns = plf_now();
	own_ns = cpu_time_ns() - own_ns;
	print_message("%lu us, of which %lu us the intruder and %lu us the holder\n",
		      (unsigned long)(end_ns - begin_ns) / 1000, (unsigned long)spent_ns / 1000,
		      (unsigned long)own_ns / 1000);
	assert_true(own_ns < (uint64_t)WAKEUPS * WORK_US * 1000);
}

static void lock_both_backwards(void *name)
{
	struct plf_stats stats;

	assert_ok(sem_wait(&bare));
	note('m');
	assert_ok(plf_mutex_lock(&second)); /* free, but `first` covers this thread */
	note(*(char *)name);
	assert_ok(plf_mutex_lock(&first));
	assert_ok(plf_mutex_unlock(&first));
	assert_ok(plf_mutex_unlock(&second));
	assert_ok(plf_get_stats(&stats));
	assert_true(stats.gate_waits <= 1);
	note(stats.gate_waits == 0 ? '0' : '1');
}

static void original_ceiling_protocol_holds_at_lock(void **state)
{
	struct member low, high;

	(void)state;
	start(&low, 20, lock_both_backwards, "a");
	start(&high, 30, lock_both_backwards, "b");
	assert_ok(plf_mutex_lock(&first));
	assert_ok(sem_post(&bare)); /* high wakes up, and lends main its priority */
	assert_ok(sem_post(&bare)); /* so low must wait for the processor */
	note('(');
	assert_ok(plf_mutex_lock(&second));
	assert_ok(plf_mutex_unlock(&second));
	note(')');
	assert_ok(plf_mutex_unlock(&first));
	join(&low);
	join(&high);
	assert_string_equal(notes(), on_ceiling_stack() ? "m()b1ma0" : "()mb0ma0");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		bare_test(preempts_the_ceiling_stack_but_not_the_classic_protocol),
		bare_test(delay_is_what_it_runs),
		bare_test(original_ceiling_protocol_holds_at_lock),
	};

	return cmocka_run_group_tests_name("unhooked threads", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
