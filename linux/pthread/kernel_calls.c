/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "kernel_calls.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

bool plf_kernel_register_restarts(void)
{
	int saved = errno;
	bool can =
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0) == 0;

	errno = saved;
	return can;
}

/* It cannot fail once registered; a lock word that two CPUs write apart would be no lock. */
void plf_kernel_restart_sequences(uint32_t cpu)
{
	int saved = errno;

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU,
		    cpu) != 0)
		abort();
	errno = saved;
}
