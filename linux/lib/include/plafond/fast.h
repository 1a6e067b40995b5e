/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_FAST_H
#define PLAFOND_FAST_H

/* The inline halves of plafond.h: the ceiling stack's fast path, then the library. */
#include <plafond/slow.h>

static inline int plf_mutex_lock(plf_mutex_t *mutex)
{
	struct plf_thread *t = plf_self;
	enum plf_outcome outcome = plf_enter_strict(t, &mutex->word);

	if (__builtin_expect(outcome == PLF_DONE, 1))
		return 0;
	if (outcome == PLF_SLOW)
		outcome = plf_enter_robust(t, &mutex->word);
	if (__builtin_expect(outcome == PLF_DONE, 1))
		return 0;
	return plf_mutex_lock_slow(mutex, outcome);
}

static inline int plf_mutex_trylock(plf_mutex_t *mutex)
{
	return plf_mutex_trylock_slow(mutex);
}

static inline int plf_mutex_unlock(plf_mutex_t *mutex)
{
	struct plf_thread *t = plf_self;
	enum plf_outcome outcome = plf_leave_strict(t, &mutex->word);

	if (__builtin_expect(outcome == PLF_DONE, 1))
		return 0;
	if (outcome == PLF_SLOW)
		outcome = plf_leave_robust(t, &mutex->word);
	if (__builtin_expect(outcome == PLF_DONE, 1))
		return 0;
	return plf_mutex_unlock_slow(mutex, outcome);
}

static inline int plf_wake_hook(void)
{
	const struct plf_thread *t = plf_self;

	if (__builtin_expect(
		    !plf_is_covered(t, plf_load64(t->top)) && plf_load32(t->cpu_now) == t->cpu, 1))
		return 0;
	return plf_wake_hook_slow();
}

static inline int plf_cond_wait(plf_cond_t *cond, plf_mutex_t *mutex)
{
	return plf_cond_wait_until(cond, mutex, UINT64_MAX);
}

static inline int plf_cond_timedwait(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns)
{
	return plf_cond_wait_until(cond, mutex, time_ns);
}

#endif
