/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Locks without a ceiling. A thread that waits for them inside a section keeps its ceiling. */
#include "interpose.h"

#include <pthread.h>
#include <threads.h>

PLF_WAIT1(int, pthread_rwlock_rdlock, pthread_rwlock_t *);
PLF_WAIT1(int, pthread_rwlock_wrlock, pthread_rwlock_t *);
PLF_WAIT2(int, pthread_rwlock_timedrdlock, pthread_rwlock_t *, const struct timespec *);
PLF_WAIT2(int, pthread_rwlock_timedwrlock, pthread_rwlock_t *, const struct timespec *);
PLF_WAIT3(int, pthread_rwlock_clockrdlock, pthread_rwlock_t *, clockid_t, const struct timespec *);
PLF_WAIT3(int, pthread_rwlock_clockwrlock, pthread_rwlock_t *, clockid_t, const struct timespec *);

PLF_WAIT1(int, mtx_lock, mtx_t *);
PLF_WAIT2(int, mtx_timedlock, mtx_t *, const struct timespec *);
PLF_WAIT2(int, cnd_wait, cnd_t *, mtx_t *);
PLF_WAIT3(int, cnd_timedwait, cnd_t *, mtx_t *, const struct timespec *);
