/* SPDX-License-Identifier: MIT */

/* The mutexes of plafond.h: each call goes on in the keeper of the calling thread. */
#include "admission.h"
#include "global.h"
#include "keeper.h"

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

/* A global one that is being handed on names a thread, and no frame. */
int plf_mutex_destroy(plf_mutex_t *mutex)
{
	if (plf_word_ref(plf_load64(&mutex->word)) != 0 || plf_load64(&mutex->holder) != 0)
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

int plf_mutex_lock_slow(plf_mutex_t *mutex, enum plf_outcome found)
{
	struct plf_thread *t = plf_self;
	int error = 0;

	if (!plf_is_attached(t))
		return EPERM;
	if (plf_is_global(mutex))
		return plf_global_lock(t, mutex, true);
	if (found == PLF_RECHECK)
		error = keeper_of(t)->leave(t);
	return error != 0 ? error : keeper_of(t)->lock(t, mutex, true);
}

int plf_mutex_trylock_slow(plf_mutex_t *mutex)
{
	struct plf_thread *t = plf_self;

	if (!plf_is_attached(t))
		return EPERM;
	return plf_is_global(mutex) ? plf_global_lock(t, mutex, false)
				    : keeper_of(t)->lock(t, mutex, false);
}

int plf_mutex_unlock_slow(plf_mutex_t *mutex, enum plf_outcome found)
{
	struct plf_thread *t = plf_self;

	if (!plf_is_attached(t))
		return EPERM;
	return plf_is_global(mutex) ? plf_global_unlock(t, mutex)
				    : keeper_of(t)->unlock(t, mutex, found);
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
