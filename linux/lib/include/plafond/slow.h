/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_SLOW_H
#define PLAFOND_SLOW_H

/* The library's functions for the inline halves of plafond.h. Not for users. */

#include <plafond/lazy_ceiling.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread's place. If the thread is not attached, the place refuses everything. */
extern __thread struct plf_thread *plf_self __attribute__((tls_model("initial-exec")));

/* The thread's words for the kernel module. Under another backend they refuse everything, too. */
extern __thread struct plf_lazy plf_lazy_self __attribute__((tls_model("initial-exec")));

/* Go on from the state that the fast path found. */
__attribute__((warn_unused_result)) int plf_mutex_lock_slow(plf_mutex_t *mutex,
							    enum plf_outcome found);
__attribute__((warn_unused_result)) int plf_mutex_trylock_slow(plf_mutex_t *mutex);
__attribute__((warn_unused_result)) int plf_mutex_timedlock_slow(plf_mutex_t *mutex,
								 uint64_t time_ns);
__attribute__((warn_unused_result)) int plf_mutex_unlock_slow(plf_mutex_t *mutex,
							      enum plf_outcome found);

/*
 * The same, if the mutex may be locked inside another section of T, the calling thread. The lock
 * word was found FREE.
 */
__attribute__((warn_unused_result)) int plf_mutex_lock_nested(plf_mutex_t *mutex,
							      struct plf_thread *t, uint64_t free);
__attribute__((warn_unused_result)) int plf_mutex_unlock_nested(plf_mutex_t *mutex,
								struct plf_thread *t);

/*
 * The section of F, a frame of the calling thread, is over, and a thread sleeps at its gate.
 * Returns 0.
 */
int plf_hand_off(struct plf_frame *f);

int plf_wake_hook_slow(void);
int plf_cond_wait_until(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns);

#ifdef __cplusplus
}
#endif

/* The results of the module's paths, in terms of the ceiling stack. */
static inline enum plf_outcome plf_outcome_of(enum plf_lazy_outcome lazy)
{
	if (__builtin_expect(lazy == PLF_LAZY_DONE, 1))
		return PLF_DONE;
	if (lazy == PLF_LAZY_SLOW)
		return PLF_SLOW;
	return lazy == PLF_LAZY_TAKEN ? PLF_RECHECK : PLF_HANDOFF;
}

#endif
