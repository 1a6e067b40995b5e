/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_FAST_H
#define PLAFOND_FAST_H

/*
 * The inline halves of plafond.h: a fast path, then the library. They do not ask which backend and
 * strength a thread has, because its words make the other fast paths refuse. The library then goes
 * on. So every program runs under every backend. When it is compiled, it chooses which path is
 * inline: the ceiling stack, or, with PLAFOND_INLINE_MODULE defined, the kernel module. Parts of a
 * program may differ.
 */
#include <plafond/slow.h>

#ifndef PLAFOND_INLINE_MODULE

static inline int plf_lock_inline(plf_mutex_t *mutex)
{
	struct plf_thread *t = plf_self;
	uint64_t free = 0;
	enum plf_outcome outcome = plf_enter_strict(t, &mutex->word, &free);

	if (__builtin_expect(outcome == PLF_SLOW, 0))
		outcome = plf_enter_robust(t, &mutex->word, &free);
	if (__builtin_expect(outcome == PLF_DONE, 1))
		return 0;
	if (outcome == PLF_NESTED)
		return plf_mutex_lock_nested(mutex, t, free);
	return plf_mutex_lock_slow(mutex, outcome);
}

static inline int plf_unlock_inline(plf_mutex_t *mutex)
{
	struct plf_thread *t = plf_self;
	enum plf_outcome outcome = plf_leave_strict(t, &mutex->word);

	if (__builtin_expect(outcome == PLF_SLOW, 0))
		outcome = plf_leave_robust(t, &mutex->word);
	if (__builtin_expect(outcome == PLF_DONE, 1))
		return 0;
	if (outcome == PLF_HANDOFF)
		return plf_hand_off(&t->frame[0]);
	return plf_mutex_unlock_nested(mutex, t);
}

#else

static inline int plf_lock_inline(plf_mutex_t *mutex)
{
	enum plf_lazy_outcome lazy = plf_lazy_enter_strict(&plf_lazy_self, &mutex->word);

	if (__builtin_expect(lazy == PLF_LAZY_SLOW, 0))
		lazy = plf_lazy_enter_robust(&plf_lazy_self, &mutex->word);
	if (__builtin_expect(lazy == PLF_LAZY_DONE, 1))
		return 0;
	return plf_mutex_lock_slow(mutex, plf_outcome_of(lazy));
}

static inline int plf_unlock_inline(plf_mutex_t *mutex)
{
	enum plf_lazy_outcome lazy = plf_lazy_leave_strict(&plf_lazy_self, &mutex->word);

	if (__builtin_expect(lazy == PLF_LAZY_SLOW, 0))
		lazy = plf_lazy_leave_robust(&plf_lazy_self, &mutex->word);
	if (__builtin_expect(lazy == PLF_LAZY_DONE, 1))
		return 0;
	return plf_mutex_unlock_slow(mutex, plf_outcome_of(lazy));
}

#endif

PLF_INLINE int plf_mutex_lock(plf_mutex_t *mutex)
{
	return plf_lock_inline(mutex);
}

PLF_INLINE int plf_mutex_trylock(plf_mutex_t *mutex)
{
	return plf_mutex_trylock_slow(mutex);
}

PLF_INLINE int plf_mutex_timedlock(plf_mutex_t *mutex, uint64_t time_ns)
{
	return plf_mutex_timedlock_slow(mutex, time_ns);
}

PLF_INLINE int plf_mutex_unlock(plf_mutex_t *mutex)
{
	return plf_unlock_inline(mutex);
}

PLF_INLINE int plf_wake_hook(void)
{
	const struct plf_thread *t = plf_self;

	if (__builtin_expect(!plf_is_covered(t, plf_load64(t->top)) && plf_is_at_home(t), 1))
		return 0;
	return plf_wake_hook_slow();
}

PLF_INLINE int plf_cond_wait(plf_cond_t *cond, plf_mutex_t *mutex)
{
	return plf_cond_wait_until(cond, mutex, UINT64_MAX);
}

PLF_INLINE int plf_cond_timedwait(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns)
{
	return plf_cond_wait_until(cond, mutex, time_ns);
}

#endif
