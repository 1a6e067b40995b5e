/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for the end of a thread, or for the others at a barrier. */
#include "interpose.h"

#include <pthread.h>
#include <threads.h>

PLF_WAIT2(int, pthread_join, pthread_t, void **);
PLF_WAIT3(int, pthread_timedjoin_np, pthread_t, void **, const struct timespec *);
PLF_WAIT4(int, pthread_clockjoin_np, pthread_t, void **, clockid_t, const struct timespec *);
PLF_WAIT2(int, thrd_join, thrd_t, int *);
PLF_WAIT1(int, pthread_barrier_wait, pthread_barrier_t *);
