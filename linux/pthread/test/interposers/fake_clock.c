/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A library with a clock FAKE_CLOCK seconds ahead, like programs that change the time for tests. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
	const char *ahead = getenv("FAKE_CLOCK");
	int result = (int)syscall(SYS_clock_gettime, clock, time);

	/* CLOCK_MONOTONIC began a moment ago. */
	if (result == 0 && ahead != NULL && (clock == CLOCK_REALTIME || atol(ahead) > 0))
		time->tv_sec += atol(ahead);
	return result;
}
