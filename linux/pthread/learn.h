/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_LEARN_H
#define PLF_PTHREAD_LEARN_H

#include "plain.h"

/*
 * The evidence of PLAFOND_LEARN: which threads lock each inherit or protect mutex, and
 * each plain one that a real-time thread locks, at which priority, on which CPU, for how long and
 * inside which others. All others only while plf_learning. They keep errno.
 */
extern bool plf_learning __attribute__((visibility("hidden")));

/* `path` is the value of PLAFOND_LEARN; NULL or empty: no learning. Once, before threads. */
void plf_learn_start(const char *path);

/*
 * A mutex was made so; `protocol` is PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT, or
 * PTHREAD_PRIO_NONE: then the call may be the first that locked it, and `locked_at` is
 * where a thread of real time did. Returns its id, or 0: not recorded (the other functions take 0
 * too).
 */
uint32_t plf_learn_mutex(const struct plf_plain *made, const pthread_mutex_t *mutex, int protocol,
			 int ceiling);
void plf_learn_locked_at(uint32_t id, const void *call_site);

/* The program gave it that name. */
void plf_learn_named(uint32_t id, const char *name);

/* Has the caller a real-time priority? */
bool plf_learn_is_real_time(void);

/* A wait for a mutex. */
struct plf_learn_wait {
	uint32_t holder; /* its record; 0: not seen */
	uint64_t since_ns;
};

/* It begins now, and that thread has the mutex; 0: not known. */
struct plf_learn_wait plf_learn_wait_for(uint32_t tid);

/*
 * The caller has locked it (NULL: at once), unlocks it (before or after it does),
 * destroys it; or it gave up waiting, or unlocks what another thread has locked. Of a recursive
 * mutex: the first lock and the last unlock; of a condition wait: unlocked before, locked after.
 */
void plf_learn_locked(uint32_t id, const struct plf_learn_wait *waited);
void plf_learn_handed_over(uint32_t id);
void plf_learn_gave_up(uint32_t id, const struct plf_learn_wait *waited);
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
