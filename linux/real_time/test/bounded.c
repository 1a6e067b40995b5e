/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The duties of a supervisor. The program `traced` runs this program, too. */
#include "../bounded.h"
#include "patience.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { LIMIT_US = 50000, STATUS = 7 };

static pid_t start(void (*body)(void))
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child > 0)
		return child;
	plf_end_if_hung();
	body();
	_exit(STATUS);
}

static void require(bool condition)
{
	if (!condition)
		_exit(1);
}

static void become_real_time(void)
{
	struct sched_param param = { .sched_priority = 1 };

	require(plf_bound_real_time(LIMIT_US) == 0);
	require(sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0);
}

static void spin(void)
{
	become_real_time();
	for (;;)
		;
}

static void a_spinning_thread_is_ended(void **state)
{
	int status = plf_release(start(spin));

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGXCPU);
}

static void keep_lower_limit(void)
{
	struct rlimit limit = { .rlim_cur = LIMIT_US / 5, .rlim_max = LIMIT_US };

	require(setrlimit(RLIMIT_RTTIME, &limit) == 0);
	require(plf_bound_real_time(LIMIT_US) == 0);
	require(getrlimit(RLIMIT_RTTIME, &limit) == 0);
	require(limit.rlim_cur == LIMIT_US / 5 && limit.rlim_max == LIMIT_US);
}

static void a_lower_limit_stays(void **state)
{
	(void)state;
	assert_int_equal(WEXITSTATUS(plf_release(start(keep_lower_limit))), STATUS);
}

static void end(void)
{
}

/* Real-time and pinned, although no thread that releases a child may be so. */
static void supervise_pinned(void)
{
	cpu_set_t one, after;
	siginfo_t info;
	pid_t child;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	require(sched_setaffinity(0, sizeof(one), &one) == 0);
	become_real_time();
	child = start(end);
	require(plf_await_end(child, &info) == 0 && info.si_status == STATUS);
	require(plf_has_ended(child) && (sched_getscheduler(0) & SCHED_FIFO) != 0);
	require(WEXITSTATUS(plf_release(child)) == STATUS);
	require(sched_getscheduler(0) == (SCHED_OTHER | SCHED_RESET_ON_FORK));
	require(sched_getaffinity(0, sizeof(after), &after) == 0 && CPU_EQUAL(&one, &after));
}

static void the_releaser_is_ordinary(void **state)
{
	(void)state;
	assert_int_equal(WEXITSTATUS(plf_release(start(supervise_pinned))), STATUS);
}

static void release_of_no_child(void)
{
	require(plf_release(getppid()) == -1 && errno == ECHILD);
}

static void a_release_of_no_child_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(WEXITSTATUS(plf_release(start(release_of_no_child))), STATUS);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(a_spinning_thread_is_ended),
		cmocka_unit_test(a_lower_limit_stays),
		cmocka_unit_test(the_releaser_is_ordinary),
		cmocka_unit_test(a_release_of_no_child_is_an_error),
	};

	return cmocka_run_group_tests_name("bounded", all, NULL, NULL);
}
