/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Facts that attach learns only from a kernel: an emulator has neither deadlines nor robust lists.
 */
#include "team.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static void run_on_all_cpus(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	assert_ok(sched_setaffinity(0, sizeof(set), &set));
}

/* The C library does not declare this call. */
static int become_deadline(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = { .size = sizeof(attr),
		   .policy = SCHED_DEADLINE,
		   .runtime = 1000000,
		   .deadline = 100000000,
		   .period = 100000000 };

	return (int)syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void attach_with_a_deadline(void)
{
	struct sched_param param = { 0 };

	run_on_all_cpus();
	assert_ok(sched_setscheduler(0, SCHED_OTHER, &param));
	assert_ok(become_deadline());
	assert_int_equal(plf_attach(LOW, 0, 0), ENOTSUP);
	assert_int_equal(plf_attach(LOW, 0, PLF_BACKEND_SYSCALL), ENOTSUP);
	assert_int_equal(plf_attach(-1, 0, 0), EINVAL); /* senseless arguments are found first */
	assert_int_equal(plf_attach(100, 0, 0), EINVAL);
	assert_int_equal(plf_attach(LOW, -2, PLF_BACKEND_SYSCALL), EINVAL);
	assert_int_equal(sched_getscheduler(0), SCHED_DEADLINE);
}

static void deadline_scheduling_is_enotsup(void **state)
{
	(void)state;
	assert_ok(in_child(attach_with_a_deadline));
}

/* Fill the stack that the next calls use. */
__attribute__((noinline)) static void spoil_stack(void)
{
	char bytes[16384];

	memset(bytes, 0xff, sizeof(bytes));
	__asm__ volatile("" : : "r"(bytes) : "memory");
}

static void attach_on_a_spoilt_stack(void)
{
	cpu_set_t set;

	run_on_all_cpus();
	spoil_stack();
	assert_ok(plf_attach(LOW, 0, PLF_BACKEND_USER));
	assert_ok(sched_getaffinity(0, sizeof(set), &set));
	assert_int_equal(CPU_COUNT(&set), 1);
	assert_true(CPU_ISSET(0, &set));
}

static void attach_pins_to_one_cpu(void **state)
{
	(void)state;
	assert_ok(in_child(attach_on_a_spoilt_stack));
}

static void vanish_at_once(void *unused)
{
	(void)unused;
	assert_ok(plf_attach(20, 0, PLF_BACKEND_USER));
	vanish();
}

/*
 * No thread waited for the victim, so no thread found it dead. Still it must not bind the process.
 */
static void vanished_thread_no_longer_counts(void **state)
{
	struct member victim;

	(void)state;
	start_stranger(&victim, 20, vanish_at_once, NULL);
	join(&victim);
	assert_ok(plf_attach(LOW, 0, PLF_BACKEND_SYSCALL));
	assert_ok(plf_detach());
	assert_string_equal(plf_backend(), "none");
}

/* Every change of the priority keeps SCHED_RESET_ON_FORK. */
static void lock_and_reset_on_fork(void)
{
	struct sched_param param = { .sched_priority = LOW };
	plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(40);
	int expected = SCHED_FIFO | SCHED_RESET_ON_FORK;

	assert_ok(sched_setscheduler(0, expected, &param));
	assert_ok(plf_attach(LOW, 0, PLF_BACKEND_SYSCALL));
	assert_int_equal(sched_getscheduler(0), expected);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(sched_getscheduler(0), expected);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(sched_getscheduler(0), expected);
	assert_ok(plf_detach());
	assert_ok(plf_attach(LOW + 1, 0, PLF_BACKEND_USER));
	assert_int_equal(sched_getscheduler(0), expected);
	assert_ok(plf_detach());
}

static void reset_on_fork_is_kept(void **state)
{
	(void)state;
	assert_ok(in_child(lock_and_reset_on_fork));
}

/* While a thread is attached, the kernel can see its gates. */
static void gates_hang_in_the_robust_list(void **state)
{
	(void)state;
	assert_false(has_robust_futexes(gettid()));
	assert_ok(plf_attach(LOW, 0, PLF_BACKEND_USER));
	assert_true(has_robust_futexes(gettid()));
	assert_ok(plf_detach());
	assert_false(has_robust_futexes(gettid()));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(deadline_scheduling_is_enotsup),
		cmocka_unit_test(vanished_thread_no_longer_counts),
		cmocka_unit_test(attach_pins_to_one_cpu),
		cmocka_unit_test(reset_on_fork_is_kept),
		cmocka_unit_test(gates_hang_in_the_robust_list),
	};

	return cmocka_run_group_tests_name("attach and the kernel", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
