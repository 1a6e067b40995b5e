/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "kernel_calls.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PRIORITY_MAX = 99 };

void plf_kernel_get_priority(uint32_t tid, int *policy, int *priority)
{
	struct sched_param param = { 0 };
	int saved = errno;
	long found = syscall(SYS_sched_getscheduler, tid);

	*policy = found < 0 ? SCHED_OTHER : (int)found;
	syscall(SYS_sched_getparam, tid, &param);
	*priority = param.sched_priority;
	errno = saved;
}

int plf_kernel_set_priority(uint32_t tid, int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	int saved = errno;
	int error = 0;

	if (syscall(SYS_sched_setscheduler, tid, policy, &param) != 0)
		error = errno;
	errno = saved;
	return error;
}

static bool has_sys_nice(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capget, &header, data) == 0 &&
	       (data[CAP_TO_INDEX(CAP_SYS_NICE)].effective & CAP_TO_MASK(CAP_SYS_NICE)) != 0;
}

int plf_kernel_most(void)
{
	struct rlimit limit = { 0, 0 };
	int saved = errno;
	int most = PRIORITY_MAX;

	if (!has_sys_nice()) {
		syscall(SYS_prlimit64, 0, RLIMIT_RTPRIO, NULL, &limit);
		most = limit.rlim_cur < PRIORITY_MAX ? (int)limit.rlim_cur : PRIORITY_MAX;
	}
	errno = saved;
	return most;
}

#define SIGNAL(number) (UINT64_C(1) << ((number)-1))

enum { SIGSETXID = 33 }; /* of glibc */

static const uint64_t never_blocked = SIGNAL(SIGTRAP) | SIGNAL(SIGSEGV) | SIGNAL(SIGBUS) |
				      SIGNAL(SIGILL) | SIGNAL(SIGFPE) | SIGNAL(SIGSYS) |
				      SIGNAL(SIGSETXID);

static uint64_t set_signals(int how, uint64_t mask)
{
	uint64_t before = 0;
	int saved = errno;

	syscall(SYS_rt_sigprocmask, how, &mask, &before, sizeof(mask));
	errno = saved;
	return before;
}

uint64_t plf_kernel_block_signals(void)
{
	return set_signals(SIG_BLOCK, ~never_blocked);
}

void plf_kernel_restore_signals(uint64_t before)
{
	set_signals(SIG_SETMASK, before);
}

bool plf_kernel_register_restarts(void)
{
	int saved = errno;
	bool can =
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0) == 0;

	errno = saved;
	return can;
}

/* The kernel does it for a registered process, unless a sandbox has forbidden the call since. */
static bool restart_by_membarrier(uint32_t cpu)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,
		       MEMBARRIER_CMD_FLAG_CPU, cpu) == 0;
}

/*
 * While the caller runs on that CPU, no other thread does. Each was preempted or sleeps, so its
 * sequence is restarted.
 */
static bool restart_by_visit(uint32_t cpu)
{
	cpu_set_t home, there;
	bool visited;

	CPU_ZERO(&there);
	CPU_SET(cpu, &there);
	if (syscall(SYS_sched_getaffinity, 0, sizeof(home), &home) < 0)
		return false;
	visited = syscall(SYS_sched_setaffinity, 0, sizeof(there), &there) == 0;
	if (visited)
		syscall(SYS_sched_setaffinity, 0, sizeof(home), &home);
	return visited;
}

/*
 * Wait for sequences to end. A sequence is a few instructions long; only a machine that stands
 * still delays it for longer.
 */
static void let_sequences_end(void)
{
	const struct timespec long_enough = { .tv_nsec = 50000000 };

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &long_enough, NULL);
}

void plf_kernel_restart_sequences(uint32_t cpu)
{
	int saved = errno;

	if (!restart_by_membarrier(cpu) && !restart_by_visit(cpu))
		let_sequences_end();
	errno = saved;
}
