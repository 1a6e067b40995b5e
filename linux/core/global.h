/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_H
#define PLF_GLOBAL_H

/* Mutexes across CPUs: see global.c. */
#include "arena.h"

/* Lock or unlock MUTEX; wait until `until_ns` (clock.h). Errors as in plafond.h. */
__attribute__((warn_unused_result)) int plf_global_lock(struct plf_thread *t, plf_mutex_t *mutex,
							uint64_t until_ns);
__attribute__((warn_unused_result)) int plf_global_unlock(struct plf_thread *t, plf_mutex_t *mutex);

/* T ends: the mutexes that it holds report its death to their next lockers. Its frames stay. */
void plf_global_abandon(struct plf_thread *t);

/* In the child of fork(): T keeps the mutexes that it holds, under its new TID. */
void plf_global_after_fork(struct plf_thread *t);

#endif
