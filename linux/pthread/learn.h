/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_LEARN_H
#define PLF_PTHREAD_LEARN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The evidence of PLAFOND_LEARN: which threads lock each inherit or protect mutex, and
 * each plain one that a real-time thread locks, at which priority, on which CPU, for how long and
 * inside which others. All others only while plf_learning. They keep errno.
 */
extern bool plf_learning __attribute__((visibility("hidden")));

/* `path` is the value of PLAFOND_LEARN; NULL or empty: no learning. Once, before threads. */
void plf_learn_start(const char *path);

/*
 * A mutex is initialised by the call that returns to `call_site`. `order` is
 * plf_site_order()'s, `protocol` is PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT, or
 * PTHREAD_PRIO_NONE: then `order` may be 0, and the call one that locks it. Returns its id, or 0:
 * not recorded (the other functions take 0 too).
 */
uint32_t plf_learn_mutex(const void *call_site, uint32_t order, int protocol, int ceiling);

/* Has the caller a real-time priority? */
bool plf_learn_is_real_time(void);

/*
 * The caller has locked it (`waited`: not at once), unlocks it (before or after it does),
 * destroys it. Of a recursive mutex: the first lock and the last unlock; of a condition
 * wait: unlocked before, locked after.
 */
void plf_learn_locked(uint32_t id, bool waited);
void plf_learn_unlocked(uint32_t id);
void plf_learn_destroyed(uint32_t id);

/* Around each blocking call: a return after which the thread had slept is an activation. */
void plf_learn_wait_begin(void);
void plf_learn_wait_end(void);

/* A new thread's first call, in that thread; not for the main thread. */
void plf_learn_thread_start(const void *start_routine);

/* The calling thread's policy, priority or affinity may have changed. */
void plf_learn_thread(void);

/* The calling thread ends. */
void plf_learn_thread_end(void);

/*
 * In the child of fork(): the mutexes stay known, their evidence begins anew. It goes
 * to FILE.PID, if the child locks one of them.
 */
void plf_learn_after_fork(void);

#endif
