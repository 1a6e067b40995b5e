/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for POSIX semaphores. */
#include "interpose.h"

#include <semaphore.h>

PLF_WAIT1(int, sem_wait, sem_t *);
PLF_WAIT2(int, sem_timedwait, sem_t *, const struct timespec *);
PLF_WAIT3(int, sem_clockwait, sem_t *, clockid_t, const struct timespec *);
