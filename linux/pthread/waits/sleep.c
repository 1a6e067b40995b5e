/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for a time, a signal, or the turn of another thread of the same priority. */
#include "interpose.h"

#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

PLF_WAIT1(unsigned, sleep, unsigned);
PLF_WAIT1(int, usleep, useconds_t);
PLF_WAIT2(int, nanosleep, const struct timespec *, struct timespec *);
PLF_WAIT4(int, clock_nanosleep, clockid_t, int, const struct timespec *, struct timespec *);
PLF_WAIT2(int, thrd_sleep, const struct timespec *, struct timespec *);
PLF_WAIT0(int, pause);

/*
 * These calls do not sleep, but other threads run meanwhile. The caller's section is committed, so
 * that the threads that it covers do not run. The other threads may have sections that cover the
 * caller, so the hook follows.
 */
PLF_WAIT0(int, sched_yield);
PLF_WAIT0(void, thrd_yield);
