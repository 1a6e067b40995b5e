/* SPDX-License-Identifier: MIT */

/* The mutexes of plafond.h. Each call goes on in the keeper of the calling thread. */
#include "admission.h"
#include "clock.h"
#include "gate.h"
#include "global.h"
#include "keeper.h"
#include "recursive.h"

#include <string.h>

static const struct plf_keeper *keeper_of(struct plf_thread *t)
{
	return plf_slot_of(t)->keeper;
}

int plf_mutex_init(plf_mutex_t *mutex, int ceiling)
{
	if (!plf_is_valid_ceiling(ceiling))
		return EINVAL;
	memset(mutex, 0, sizeof(*mutex));
	mutex->ceiling = (uint32_t)ceiling;
	return 0;
}

void plf_mutex_init_global(plf_mutex_t *mutex)
{
	*mutex = (plf_mutex_t)PLF_MUTEX_GLOBAL_INITIALIZER;
}

int plf_mutex_setspin(plf_mutex_t *mutex, uint32_t spin_ns)
{
	if (!plf_is_global(mutex) || spin_ns > PLF_SPIN_MAX_NS)
		return EINVAL;
	plf_store32(&mutex->spin_ns, spin_ns);
	return 0;
}

int plf_mutex_getspin(const plf_mutex_t *mutex, uint32_t *spin_ns)
{
	if (!plf_is_global(mutex))
		return EINVAL;
	*spin_ns = plf_load32(&mutex->spin_ns);
	return 0;
}

/* A global mutex that the kernel is handing on names a thread, but no frame. */
static bool is_held(const plf_mutex_t *mutex)
{
	return plf_word_ref(plf_load64(&mutex->word)) != 0 || plf_load64(&mutex->holder) != 0;
}

int plf_mutex_settype(plf_mutex_t *mutex, int type)
{
	if (type != PLF_MUTEX_NORMAL && type != PLF_MUTEX_RECURSIVE)
		return EINVAL;
	if (is_held(mutex))
		return EBUSY;
	mutex->recursive = type == PLF_MUTEX_RECURSIVE;
	return 0;
}

int plf_mutex_gettype(const plf_mutex_t *mutex)
{
	return mutex->recursive != 0 ? PLF_MUTEX_RECURSIVE : PLF_MUTEX_NORMAL;
}

int plf_mutex_destroy(plf_mutex_t *mutex)
{
	if (is_held(mutex))
		return EBUSY;
	memset(mutex, 0, sizeof(*mutex));
	return 0;
}

int plf_mutex_getceiling(const plf_mutex_t *mutex, int *ceiling)
{
	if (!plf_is_valid_ceiling((int)mutex->ceiling))
		return EINVAL;
	*ceiling = (int)mutex->ceiling;
	return 0;
}

/* Not inlined, so that the usual paths save no registers for it. */
__attribute__((noinline)) static int lock_anew(struct plf_thread *t, plf_mutex_t *mutex)
{
	int error = keeper_of(t)->leave(t);

	return error != 0 ? error : keeper_of(t)->lock(t, mutex, PLF_WITHOUT_END);
}

static int lock_until(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	if (plf_is_global(mutex))
		return plf_global_lock(t, mutex, until_ns);
	if (plf_may_lock_again(t, mutex))
		return plf_lock_again(t, mutex);
	return keeper_of(t)->lock(t, mutex, until_ns);
}

int plf_mutex_lock_slow(plf_mutex_t *mutex, enum plf_outcome found)
{
	struct plf_thread *t = plf_self;

	if (!plf_is_attached(t))
		return EPERM;
	return found == PLF_RECHECK ? lock_anew(t, mutex) : lock_until(t, mutex, PLF_WITHOUT_END);
}

int plf_mutex_trylock_slow(plf_mutex_t *mutex)
{
	struct plf_thread *t = plf_self;

	return plf_is_attached(t) ? lock_until(t, mutex, PLF_NOT_AT_ALL) : EPERM;
}

/* Replace 0, which is PLF_NOT_AT_ALL, by 1. Both times are over. */
int plf_mutex_timedlock_slow(plf_mutex_t *mutex, uint64_t time_ns)
{
	struct plf_thread *t = plf_self;
	uint64_t until_ns = time_ns == PLF_NOT_AT_ALL ? 1 : time_ns;

	return plf_is_attached(t) ? lock_until(t, mutex, until_ns) : EPERM;
}

int plf_mutex_unlock_slow(plf_mutex_t *mutex, enum plf_outcome found)
{
	struct plf_thread *t = plf_self;

	if (!plf_is_attached(t))
		return EPERM;
	/*
	 * The innermost section is across CPUs. Do not ask the mutex, because it may be free
	 * already.
	 */
	if (plf_slot_of(t)->globals > 0)
		return plf_global_unlock(t, mutex);
	if (plf_is_held_again(t, mutex))
		return plf_unlock_again(t, mutex);
	return keeper_of(t)->unlock(t, mutex, found);
}

int plf_hand_off(struct plf_frame *f)
{
	plf_gates_release(f, plf_owner_of(f)->tid);
	return 0;
}

/* ---- Nested sections: if nothing is in the way, no keeper is asked ------------ */

static inline int lock_nested(plf_mutex_t *mutex, struct plf_thread *t, uint64_t free,
			      const struct plf_writer *writer)
{
	enum plf_outcome found = plf_enter_nested(t, &mutex->word, free, writer);

	return __builtin_expect(found == PLF_DONE, 1) ? 0 : plf_mutex_lock_slow(mutex, found);
}

static inline int unlock_nested(plf_mutex_t *mutex, struct plf_thread *t,
				const struct plf_writer *writer)
{
	struct plf_frame *f = plf_nested_holder(t, &mutex->word);
	enum plf_outcome found = plf_leave_nested(t, &mutex->word, f, writer);

	if (__builtin_expect(found == PLF_DONE, 1))
		return 0;
	return found == PLF_HANDOFF ? plf_hand_off(f) : plf_mutex_unlock_slow(mutex, found);
}

/* Not inlined, so that the compiler does not mix a strict thread's steps with these. */
__attribute__((noinline)) static int lock_nested_robust(plf_mutex_t *mutex, struct plf_thread *t,
							uint64_t free)
{
	if (plf_slot_of(t)->globals > 0) /* see plf_admit(): strict threads have none */
		return plf_mutex_lock_slow(mutex, PLF_SLOW);
	return lock_nested(mutex, t, free, &plf_by_cas);
}

__attribute__((noinline)) static int unlock_nested_robust(plf_mutex_t *mutex, struct plf_thread *t)
{
	if (plf_slot_of(t)->globals > 0) /* so the innermost section is across CPUs */
		return plf_global_unlock(t, mutex);
	return unlock_nested(mutex, t, &plf_by_cas);
}

int plf_mutex_lock_nested(plf_mutex_t *mutex, struct plf_thread *t, uint64_t free)
{
	if (t->strength == PLF_STRENGTH_ROBUST)
		return lock_nested_robust(mutex, t, free);
	return lock_nested(mutex, t, free, &plf_by_store);
}

int plf_mutex_unlock_nested(plf_mutex_t *mutex, struct plf_thread *t)
{
	if (t->strength == PLF_STRENGTH_ROBUST)
		return unlock_nested_robust(mutex, t);
	return unlock_nested(mutex, t, &plf_by_store);
}

int plf_mutex_consistent(plf_mutex_t *mutex)
{
	if (mutex->state != PLF_MUTEX_INCONSISTENT || !plf_holds(plf_self, mutex))
		return EINVAL;
	mutex->state = PLF_MUTEX_CONSISTENT;
	return 0;
}

int plf_mutex_setceiling(plf_mutex_t *mutex, int ceiling, int *old)
{
	struct plf_thread *t = plf_self;
	int before;
	int error;

	if (!plf_is_valid_ceiling(ceiling) || plf_mutex_getceiling(mutex, &before) != 0)
		return EINVAL;
	if (!plf_is_attached(t))
		return EPERM;
	error = keeper_of(t)->set_ceiling(t, mutex, (uint32_t)ceiling);
	if (error == 0 && old != NULL)
		*old = before;
	return error;
}
