/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cpmd_real_time.h"

#include "../linux/machine/say.h"
#include "../linux/real_time/bounded.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { LONGEST_S = 100, AWAKE_US = 10000000 };

/* The default action of SIGALRM ends the process even while a SCHED_FIFO thread of it spins. */
int bound_lifetime(void)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(LONGEST_S);
	error = plf_bound_real_time(AWAKE_US);
	return error == 0 ? RAN : fail("RLIMIT_RTTIME: %s", strerror(error));
}

int enter_real_time(int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		return refuse("no privilege to lock memory: this needs RLIMIT_MEMLOCK unlimited "
			      "(ulimit -l) or CAP_IPC_LOCK");
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) != 0)
		return refuse("no privilege for SCHED_FIFO: this needs RLIMIT_RTPRIO of %d "
			      "(ulimit -r) or CAP_SYS_NICE",
			      priority);
	return RAN;
}
