/* SPDX-License-Identifier: MIT */
/* supervise.c alone: a killed child may still need its CPU for a while, or for ever. */
#include "supervise.h"

#include "../../machine/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LOOKS = 200 /* 1000 ms, a look every 5 ms */ };

static int living; /* looks at which the killed child has not ended yet */
static int rests;
static pid_t killed;

int __real_waitid(idtype_t type, id_t id, siginfo_t *end, int options);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t *end, int options);
int __real_kill(pid_t process, int signal);
int __wrap_kill(pid_t process, int signal);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

int __wrap_waitid(idtype_t type, id_t id, siginfo_t *end, int options)
{
	if (!killed || !(options & WNOHANG))
		return __real_waitid(type, id, end, options);
	if (living > 0) {
		living--;
		return 0;
	}
	return __real_waitid(type, id, end, options & ~WNOHANG); /* now it dies */
}

int __wrap_kill(pid_t process, int signal)
{
	killed = process;
	return __real_kill(process, signal);
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	assert_int_equal(time->tv_sec, 0);
	assert_int_equal(time->tv_nsec, 5 * NS_PER_MS);
	rests++;
	return 0;
}

static void waits_for_ever(void *argument)
{
	(void)argument;
	for (;;)
		pause();
}

static struct end end_of(int looks)
{
	deadline_t deadline = now_ns() + NS_PER_MS;
	struct end end;

	living = looks;
	rests = 0;
	killed = 0;
	assert_true(supervise(&deadline, NS_PER_S, waits_for_ever, NULL, &end));
	assert_int_equal(end.ending, BY_WATCHDOG);
	assert_true(killed > 0);
	return end;
}

static void is_released(const struct end *end)
{
	assert_false(end->is_starved);
	assert_true(WIFSIGNALED(end->status));
	assert_int_equal(WTERMSIG(end->status), SIGKILL);
}

static void a_child_that_dies_late_is_released(void **state)
{
	struct end end;

	(void)state;
	end = end_of(0);
	is_released(&end);
	assert_int_equal(rests, 0);
	end = end_of(3);
	is_released(&end);
	assert_int_equal(rests, 3);
	end = end_of(LOOKS); /* the last look finds its end */
	is_released(&end);
	assert_int_equal(rests, LOOKS);
}

static void a_child_that_does_not_die_is_left(void **state)
{
	struct end end = end_of(LOOKS + 1);
	int status;

	(void)state;
	assert_true(end.is_starved);
	assert_int_equal(rests, LOOKS);
	assert_int_equal(waitpid(killed, &status, 0), killed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_that_dies_late_is_released),
		cmocka_unit_test(a_child_that_does_not_die_is_left),
	};

	hold_signals();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
