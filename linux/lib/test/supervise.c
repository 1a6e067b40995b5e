/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

#include "../../real_time/bounded.h"
#include "../../real_time/test/patience.h"

#include <plafond.h>

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REAL_TIME_LIMIT_US = 10 * 1000000, LOOK_MS = 20 };

unsigned test_flags;

void lock_memory(void)
{
	if (syscall(SYS_mlockall, MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0)
		return;
	fprintf(stderr, "cannot lock memory (%s): give RLIMIT_MEMLOCK or CAP_IPC_LOCK\n",
		strerror(errno));
	exit(1);
}

static int status_of(const siginfo_t *end)
{
	return end->si_code == CLD_EXITED ? end->si_status : 128 + end->si_status;
}

int in_child(void (*body)(void))
{
	pid_t parent = getpid();
	pid_t child = fork();
	siginfo_t end;

	if (child < 0)
		return 128;
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		body();
		_exit(0);
	}
	/* The caller is real-time, so the ordinary process that inherits the child releases it. */
	return plf_await_end(child, &end) == 0 ? status_of(&end) : 128;
}

/* The supervisor runs above the tests, so that a thread that spins cannot keep it out. */
static bool become_real_time(void)
{
	struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };

	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0;
}

static const struct {
	const char *name;
	unsigned flags;
} tested[] = {
	{ "user", PLF_BACKEND_USER },
	{ "strict", PLF_BACKEND_USER | PLF_STRICT },
	{ "syscall", PLF_BACKEND_SYSCALL },
	{ "module", PLF_BACKEND_MODULE },
	{ "module-strict", PLF_BACKEND_MODULE | PLF_STRICT },
};

static bool choose(const char *name)
{
	for (size_t i = 0; i < sizeof(tested) / sizeof(tested[0]); i++)
		if (strcmp(name, tested[i].name) == 0)
			test_flags = tested[i].flags;
	return test_flags != 0;
}

/* If a sleep fails, the watch ends, because a supervisor at the highest priority must not spin. */
static bool ends_in_time(pid_t child)
{
	for (int64_t began_ms = plf_clock_ms(); plf_clock_ms() - began_ms < PLF_HUNG_S * 1000;) {
		if (plf_has_ended(child))
			return true;
		if (poll(NULL, 0, LOOK_MS) != 0 && errno != EINTR) {
			perror("poll");
			return false;
		}
	}
	return false;
}

static int watch(pid_t child, const char *name)
{
	bool in_time = ends_in_time(child);
	int status;

	kill(-child, SIGKILL); /* also children that it left */
	status = plf_release(child);
	if (status < 0) {
		perror(name);
		return 1;
	}
	if (!in_time) {
		fprintf(stderr, "%s: not finished after %d s: killed\n", name, PLF_HUNG_S);
		return 1;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "%s: killed by signal %d\n", name, WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

int supervise(int argc, char **argv, int (*tests)(void))
{
	pid_t supervisor = getpid();
	pid_t child;

	if (!choose(argc > 1 ? argv[1] : "user")) {
		fprintf(stderr, "usage: %s [user|strict|syscall|module|module-strict]\n", argv[0]);
		return 2;
	}
	if (plf_bound_real_time(REAL_TIME_LIMIT_US) != 0 || !become_real_time()) {
		fprintf(stderr,
			"%s: SCHED_FIFO is denied (%s): give RLIMIT_RTPRIO or CAP_SYS_NICE\n",
			argv[0], strerror(errno));
		return 1;
	}
	setenv("CMOCKA_TEST_ABORT", "1", 1); /* a failure in any thread ends the program */
	child = fork();
	if (child < 0)
		return 1;
	if (child > 0)
		return watch(child, argv[0]);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor)
		return 1;
	plf_end_if_hung();
	if (test_flags & PLF_STRICT)
		lock_memory();
	return tests();
}
