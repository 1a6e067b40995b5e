/* SPDX-License-Identifier: MIT */
#ifndef PLF_BOUNDED_H
#define PLF_BOUNDED_H

/*
 * The bounds of every program that starts real-time threads, so that it cannot take a CPU for good.
 *
 * Invariants:
 *  I1  A process has a limit of real time (RLIMIT_RTTIME) before any of its threads is SCHED_FIFO
 *      or SCHED_RR. The kernel ends a thread that runs longer without a sleep.
 *  I2  A process releases a child (wait4(), or waitid() without WNOWAIT) only while it is
 *      SCHED_OTHER and may use every CPU. The reason: to take a process out of /proc, the kernel
 *      spins until no thread looks the process up. If a real-time parent preempted such a thread on
 *      the same CPU, the parent spins for ever. No signal and no limit ends that.
 */
#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE"
#endif

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>

/*
 * Set up I1 for this process and its children: SIGXCPU after `longest_us` microseconds of real time
 * without a sleep, and SIGKILL a second later. A lower limit stays. Returns 0 or an errno value.
 */
static inline int plf_bound_real_time(uint64_t longest_us)
{
	const uint64_t grace_us = 1000000;
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit) != 0)
		return errno;
	if (limit.rlim_max > longest_us + grace_us)
		limit.rlim_max = longest_us + grace_us;
	if (limit.rlim_cur > longest_us)
		limit.rlim_cur = longest_us;
	return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

/* Sleep until `child` has ended, but do not release it. Returns 0 or an errno value. */
static inline int plf_await_end(pid_t child, siginfo_t *end)
{
	int error;

	memset(end, 0, sizeof(*end));
	do
		error = waitid(P_PID, (id_t)child, end, WEXITED | WNOWAIT) == 0 ? 0 : errno;
	while (error == EINTR);
	return error;
}

/* Has `child` ended? This does not release it. */
static inline bool plf_has_ended(pid_t child)
{
	siginfo_t end;

	memset(&end, 0, sizeof(end));
	return waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       end.si_pid == child;
}

/* Become SCHED_OTHER, on every CPU that the system allows. Returns 0 or an errno value. */
static inline int plf_become_ordinary(void)
{
	struct sched_param param;
	cpu_set_t all;

	memset(&param, 0, sizeof(param));
	memset(&all, 0xff, sizeof(all));
	/* Without privilege, a thread may set SCHED_RESET_ON_FORK, but not clear it. */
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param) != 0 ||
	    sched_setaffinity(0, sizeof(all), &all) != 0)
		return errno;
	return 0;
}

/*
 * Wait for the end of `child`, and release it by I2. Returns its status as from waitpid(), or -1
 * and errno. Afterwards the caller is SCHED_OTHER, and pinned as before.
 */
static inline int plf_release(pid_t child)
{
	cpu_set_t before;
	siginfo_t end;
	int status = -1;
	int error = plf_await_end(child, &end);

	if (error == 0 && sched_getaffinity(0, sizeof(before), &before) != 0)
		error = errno;
	if (error == 0)
		error = plf_become_ordinary();
	if (error == 0) {
		while (waitpid(child, &status, 0) < 0 && error == 0)
			error = errno == EINTR ? 0 : errno;
		sched_setaffinity(0, sizeof(before), &before);
	}
	errno = error;
	return error == 0 ? status : -1;
}

#endif
