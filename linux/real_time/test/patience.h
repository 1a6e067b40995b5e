/* SPDX-License-Identifier: MIT */
#ifndef PLF_PATIENCE_H
#define PLF_PATIENCE_H

/*
 * When a test considers a process hung: nothing takes as long, even on a busy machine. A process
 * that uses the processor all the time is found earlier, by its processor time, because load does
 * not change that.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { PLF_HUNG_S = 300, PLF_HUNG_PROCESSOR_S = 60 };

/* Have the kernel end the calling process when it hangs. Each child needs its own call. */
static inline void plf_end_if_hung(void)
{
	const struct itimerval longest = { .it_value.tv_sec = PLF_HUNG_PROCESSOR_S };

	setitimer(ITIMER_PROF, &longest, NULL);
	alarm(PLF_HUNG_S);
}

static inline int64_t plf_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/*
 * False if the time since then is up. Otherwise nap first; the nap grows with the time that has
 * passed.
 */
static inline bool plf_is_patient(int64_t began_ms)
{
	int64_t waited_ms = plf_clock_ms() - began_ms;
	int64_t nap_ms = waited_ms < 32 ? 2 : waited_ms > 1600 ? 100 : waited_ms / 16;
	const struct timespec nap = { .tv_nsec = (long)nap_ms * 1000000 };

	if (waited_ms > PLF_HUNG_S * INT64_C(1000))
		return false;
	nanosleep(&nap, NULL);
	return true;
}

/* Does that thread sleep in that system call? Its number must not be 0. */
static inline bool plf_sleeps_in(pid_t thread, long call)
{
	char path[64], line[128] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", thread);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	if (fgets(line, sizeof(line), file) == NULL)
		line[0] = '\0';
	fclose(file);
	return strtol(line, NULL, 10) == call; /* 0 for a thread that runs */
}

/*
 * Repeat until `condition` holds; for cmocka, which fails the test if it never does. A scene that
 * the machine may disturb is also a condition: it is repeated until a run reports that the scene
 * was right.
 */
#define plf_await(condition)                                                                       \
	do {                                                                                       \
		int64_t plf_began_ms_ = plf_clock_ms();                                            \
                                                                                                   \
		while (!(condition))                                                               \
			if (!plf_is_patient(plf_began_ms_))                                        \
				fail_msg("hung: %s", #condition);                                  \
	} while (0)

#endif
