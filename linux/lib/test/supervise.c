/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

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

enum { TIME_LIMIT_S = 30, PATIENCE_MS = 20 };

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

/*
 * No thread of the child is left then; but it is not released, for that is not to be done in
 * real time: to take a process out of /proc, the kernel spins until nobody else is about to,
 * and one who was preempted there, on the same CPU, never gets done. No signal ends that.
 */
static siginfo_t await_end(pid_t child)
{
	siginfo_t end = { .si_pid = 0 };

	while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
	return end;
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
	end = await_end(child); /* whoever inherits it releases it */
	return status_of(&end);
}

static bool become(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &param) == 0;
}

/* Above the tests, so that a thread that spins cannot keep its judge away. */
static bool become_real_time(void)
{
	return become(SCHED_FIFO, sched_get_priority_max(SCHED_FIFO));
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

static bool ends_in_time(pid_t child)
{
	siginfo_t end = { .si_pid = 0 };

	for (int waited = 0; waited < TIME_LIMIT_S * 1000; waited += PATIENCE_MS) {
		waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT);
		if (end.si_pid == child)
			return true;
		poll(NULL, 0, PATIENCE_MS);
	}
	return false;
}

static int watch(pid_t child, const char *name)
{
	bool in_time = ends_in_time(child);
	siginfo_t end;

	kill(-child, SIGKILL); /* what it may have left behind, too */
	end = await_end(child);
	become(SCHED_OTHER, 0);
	waitpid(child, NULL, 0);
	if (!in_time) {
		fprintf(stderr, "%s: not finished after %d s: killed\n", name, TIME_LIMIT_S);
		return 1;
	}
	if (end.si_code != CLD_EXITED)
		fprintf(stderr, "%s: killed by signal %d\n", name, end.si_status);
	return status_of(&end);
}

int supervise(int argc, char **argv, int (*tests)(void))
{
	pid_t supervisor = getpid();
	pid_t child;

	if (!choose(argc > 1 ? argv[1] : "user")) {
		fprintf(stderr, "usage: %s [user|strict|syscall|module|module-strict]\n", argv[0]);
		return 2;
	}
	if (!become_real_time()) {
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
	if (test_flags & PLF_STRICT)
		lock_memory();
	return tests();
}
