/* SPDX-License-Identifier: MIT */
/*
 * A resource whose users are on two CPUs. Under every protocol that allows this, only a single task
 * is inside at a time. Under libplafond's protocols, the holder also runs above all tasks of its
 * CPU.
 */
#include "../../real_time/test/patience.h"
#include "../../real_time/test/refuse_call.h"
#include "json.h"
#include "program.h"
#include "trace.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *protocol;

/* Urgent is above both users. It arrives while Holder is inside and Waiter waits. */
static const char contended[] = "limit 60000000000\n"
				"resource R1 20\n"
				"task Urgent 40 1 queue\n"
				"run 1000000\n"
				"arrivals 30000000\n"
				"task Waiter 20 0 queue\n"
				"lock R1\nrun 1000000\nunlock R1\n"
				"arrivals 20000000\n"
				"task Holder 10 1 queue\n"
				"lock R1\nrun 60000000\nunlock R1\nrun 1000000\n"
				"arrivals 0\n"
				"end\n";

static bool is_of_libplafond(void)
{
	return strncmp(protocol, "plafond", strlen("plafond")) == 0;
}

static bool is_contended(const char *trace)
{
	long long left = event_time(trace, "Holder", "unlock", 0);

	return event_time(trace, "Waiter", "request", 0) < left && left > 30000000 &&
	       (is_of_libplafond() || event_time(trace, "Urgent", "start", 0) < left);
}

/* False: the machine stood still when a task should arrive. */
static bool run_contended(struct program *program)
{
	run_program(program, NULL);
	assert_string_equal(program->output, "");
	assert_int_equal(program->status, 0);
	if (is_contended(program->trace))
		return true;
	free_program(program);
	return false;
}

static void one_task_of_two_cpus_is_inside(void **state)
{
	struct program program;
	const char *trace;
	long long left;

	(void)state;
	write_plan_for(protocol, contended);
	plf_await(run_contended(&program));
	trace = program.trace;
	left = event_time(trace, "Holder", "unlock", 0);
	assert_true(json_is_valid(trace));
	assert_true(times_ascend(trace));
	assert_true(contains(trace, "\"cut\":null"));
	assert_true(event_time(trace, "Waiter", "grant", 0) >= left);
	assert_int_equal(count_events(trace, "Waiter", "unlock"), 1);
	if (is_of_libplafond())
		assert_true(event_time(trace, "Urgent", "start", 0) >= left);
	free_program(&program);
}

static void refuse_to_queue(void)
{
	if (!refuse_call(SYS_futex, (uint32_t)FUTEX_CMD_MASK, FUTEX_LOCK_PI, EDEADLK))
		_exit(126);
}

/* If a run was cut while Holder is inside, it has no unlock. */
static bool waiter_came_late(const char *trace)
{
	long long left = event_time(trace, "Holder", "unlock", 0);

	return event_time(trace, "Holder", "grant", 0) == NOT_THERE ||
	       (left != NOT_THERE && event_time(trace, "Waiter", "request", 0) >= left);
}

/* False: the machine stood still when Holder or Waiter should arrive. */
static bool run_refused(struct program *program)
{
	run_program(program, refuse_to_queue);
	if (!waiter_came_late(program->trace))
		return true;
	free_program(program);
	return false;
}

static void a_refused_lock_fails_the_run(void **state)
{
	struct program program;

	(void)state;
	if (!is_of_libplafond())
		return;
	write_plan_for(protocol, contended);
	plf_await(run_refused(&program));
	assert_int_equal(program.status, 1);
	assert_true(contains(program.output, "Waiter: plf_mutex_lock: Resource deadlock avoided"));
	assert_true(contains(program.trace, "\"cut\":\"Waiter: plf_mutex_lock: "));
	assert_int_equal(count_events(program.trace, "Waiter", "grant"), 0);
	free_program(&program);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(one_task_of_two_cpus_is_inside),
		cmocka_unit_test(a_refused_lock_fails_the_run),
	};

	protocol = argc > 1 ? argv[1] : "plafond";
	return cmocka_run_group_tests_name("across_cpus", all, enter_directory, leave_directory);
}
