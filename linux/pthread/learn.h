/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_LEARN_H
#define PLF_PTHREAD_LEARN_H

#include "plain.h"

/*
 * The evidence of PLAFOND_LEARN on each inherit or protect mutex, and each plain mutex that a
 * real-time thread locks: the lockers, their priorities and CPUs, the hold times, and the mutexes
 * held meanwhile. All functions but plf_learn_start() and plf_learn_after_fork() may be called only
 * while plf_learning. They keep errno.
 */
extern bool plf_learning __attribute__((visibility("hidden")));

/* `path` is the value of PLAFOND_LEARN; NULL or empty: no learning. Call once, before threads. */
void plf_learn_start(const char *path);

/*
 * Record a mutex. Returns its id, or 0 if there is no room; the other functions take 0, too. If
 * `protocol` is PTHREAD_PRIO_NONE, `made` may be the first call that locked the mutex, and
 * plf_learn_locked_at() gets the first lock by a real-time thread.
 */
uint32_t plf_learn_mutex(const struct plf_plain *made, const pthread_mutex_t *mutex, int protocol,
			 int ceiling);
void plf_learn_locked_at(uint32_t id, const void *call_site);

/* The program gave the mutex that name. */
void plf_learn_named(uint32_t id, const char *name);

/* Does the caller have a real-time priority? */
bool plf_learn_is_real_time(void);

struct plf_learn_wait {
	uint32_t holder; /* the holder's record; 0: not known */
	uint64_t since_ns;
};

/* A wait begins now, for the thread `tid`, which has the mutex; 0: not known. */
struct plf_learn_wait plf_learn_wait_for(uint32_t tid);

/*
 * Uses of a mutex by the caller. `waited` is NULL if it did not wait.
 *
 *  - locked: also if the lock returned EOWNERDEAD
 *  - handed_over: it unlocks a mutex that another thread has locked
 *  - gave_up: it waited, but did not get the mutex
 *  - unlocked: called before or after the unlock
 *
 * Of a recursive mutex only the first lock and the last unlock count. A condition wait is an unlock
 * before it, and a lock after it.
 */
void plf_learn_locked(uint32_t id, const struct plf_learn_wait *waited);
void plf_learn_handed_over(uint32_t id);
void plf_learn_gave_up(uint32_t id, const struct plf_learn_wait *waited);
void plf_learn_unlocked(uint32_t id);
void plf_learn_destroyed(uint32_t id);

/* Around each blocking call. Its return is an activation if the thread slept in the call. */
void plf_learn_wait_begin(void);
void plf_learn_wait_end(void);

/* In a new thread, not the main thread: the function in which it begins. */
void plf_learn_thread_start(const void *start_routine);

/* The calling thread's policy, priority or affinity may have changed. */
void plf_learn_thread(void);

void plf_learn_thread_end(void);

/*
 * In the child of fork(): the mutexes stay known, and their evidence begins anew. It goes to
 * FILE.PID if the child locks a mutex that is evidence.
 */
void plf_learn_after_fork(void);

#endif
