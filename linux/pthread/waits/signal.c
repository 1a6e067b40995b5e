/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for a signal. */
#include "interpose.h"

#include <signal.h>

PLF_WAIT2(int, sigwait, const sigset_t *, int *);
PLF_WAIT2(int, sigwaitinfo, const sigset_t *, siginfo_t *);
PLF_WAIT3(int, sigtimedwait, const sigset_t *, siginfo_t *, const struct timespec *);
PLF_WAIT1(int, sigsuspend, const sigset_t *);
