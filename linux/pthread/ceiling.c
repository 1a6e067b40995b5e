/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* The ceiling of a mutex, read and changed while the mutex is in use. */
#include "commit.h"
#include "libc.h"
#include "section.h"

#include <errno.h>

static bool has_ceiling(const pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) &&
	       plf_is_protect(plf_protect_of((pthread_mutex_t *)(uintptr_t)mutex));
}

PLF_EXPORT int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex,
					    int *restrict ceiling)
{
	const struct plf_protect *m = plf_protect_of((pthread_mutex_t *)(uintptr_t)mutex);

	if (!has_ceiling(mutex))
		return PLF_LIBC(pthread_mutex_getprioceiling)(mutex, ceiling);
	if (m->learned)
		return EINVAL; /* for the program it is an inherit mutex */
	*ceiling = plf_home_ceiling(plf_home(m));
	return 0;
}

/* Returns the old ceiling. The caller holds the lock word, but the mode may change meanwhile. */
static int exchange(struct plf_protect *m, int ceiling)
{
	uint32_t home = plf_home(m);

	while (!__atomic_compare_exchange_n(
		&m->home, &home, (home & ~(uint32_t)PLF_HOME_CEILING) | (uint32_t)ceiling, false,
		__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	return plf_home_ceiling(home);
}

/* As glibc: EDEADLK for errorcheck; a recursive mutex changes under its holder; others wait. */
static int set_held(struct plf_protect *m, int ceiling, int *old)
{
	int error;

	switch (m->kind & PLF_KIND_TYPE) {
	case PTHREAD_MUTEX_ERRORCHECK:
		return EDEADLK;
	case PTHREAD_MUTEX_RECURSIVE:
		error = plf_section_change_ceiling(m, ceiling);
		if (error == 0)
			*old = exchange(m, ceiling);
		return error;
	default:
		plf_commit(PLF_CONTENDED);
		return plf_sleep_forever(m, NULL);
	}
}

static int set(struct plf_protect *m, int ceiling, int *old)
{
	int error;

	if (plf_me.tid != 0 && plf_lock_word_is_mine(m))
		return set_held(m, ceiling, old);
	error = plf_section_hold_still(m);
	if (error != 0)
		return error;
	*old = exchange(m, ceiling);
	plf_lock_word_give(m);
	return 0;
}

/* Write the old ceiling only on success, and only if OLD is not NULL. */
static int set_and_report(struct plf_protect *m, int ceiling, int *old)
{
	int before = 0;
	int error;

	if (m->learned || ceiling < 1 || ceiling > PLF_PRIORITY_MAX)
		return EINVAL;
	plf_me.busy++;
	error = set(m, ceiling, &before);
	plf_me.busy--;
	if (error == 0 && old != NULL)
		*old = before;
	return error;
}

PLF_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling,
					    int *restrict old)
{
	if (!has_ceiling(mutex))
		return PLF_LIBC(pthread_mutex_setprioceiling)(mutex, ceiling, old);
	return set_and_report(plf_protect_of(mutex), ceiling, old);
}
