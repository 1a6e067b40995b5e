/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The mutex calls of POSIX threads. A mutex of ours is known by a bit in its kind; every
 * other one is the C library's, for two or three instructions more.
 */
#include "ceilings.h"
#include "commit.h"
#include "learn.h"
#include "libc.h"
#include "plain.h"
#include "process.h"
#include "section.h"
#include "settings.h"
#include "site.h"
#include "wait.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---- Making them ------------------------------------------------------- */

struct wanted {
	int protocol, type, pshared, robust, ceiling;
};

static void read_attr(const pthread_mutexattr_t *attr, struct wanted *wanted)
{
	pthread_mutexattr_gettype(attr, &wanted->type);
	pthread_mutexattr_getpshared(attr, &wanted->pshared);
	pthread_mutexattr_getrobust(attr, &wanted->robust);
	pthread_mutexattr_getprioceiling(attr, &wanted->ceiling);
}

/* From now on a thread that wakes up has a reason to settle. */
static void make_strangers_look(void)
{
	__atomic_store_n(&plf_stranger_top, plf_word(0, UINT32_MAX), __ATOMIC_RELAXED);
}

static int kind_of(const struct wanted *wanted)
{
	int type = wanted->type & PLF_KIND_TYPE;
	int kind = PLF_KIND_OURS | PLF_KIND_PROTECT;

	if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK)
		kind |= type;
	if (wanted->robust == PTHREAD_MUTEX_ROBUST)
		kind |= PLF_KIND_ROBUST;
	return kind;
}

static void make_ours(struct plf_protect *m, const struct wanted *wanted)
{
	memset(m, 0, sizeof(*m));
	m->home = (uint32_t)wanted->ceiling;
	m->learned = wanted->protocol != PTHREAD_PRIO_PROTECT;
	m->kind = kind_of(wanted);
	plf_stats_mutex_made(m->learned);
	make_strangers_look();
}

/* Evidence is taken of each use. */
static void record(struct plf_protect *m, uint32_t evidence)
{
	m->evidence = evidence;
	m->kind |= PLF_KIND_OURS | PLF_KIND_RECORDED;
}

/* Robust with protect is libc's to refuse, unless it was asked for. */
static bool is_for_us(const struct wanted *wanted)
{
	if (plf_mode == PLF_MODE_OFF || wanted->pshared == PTHREAD_PROCESS_SHARED)
		return false;
	return wanted->protocol == PTHREAD_PRIO_PROTECT &&
	       (wanted->robust != PTHREAD_MUTEX_ROBUST || plf_robust_allowed);
}

/* An inherit or plain mutex that learning knows. Robust or not: libc's own may be both. */
static bool is_learned(struct wanted *wanted, const void *site, uint32_t order)
{
	if (plf_mode == PLF_MODE_OFF || !plf_ceilings_known ||
	    wanted->protocol == PTHREAD_PRIO_PROTECT || wanted->pshared == PTHREAD_PROCESS_SHARED)
		return false;
	wanted->ceiling = plf_ceiling_for(site, order);
	if (wanted->protocol == PTHREAD_PRIO_INHERIT || wanted->ceiling != 0)
		plf_ceilings_count(wanted->ceiling != 0);
	return wanted->ceiling != 0;
}

/* What was made is evidence; a plain one, when a real-time thread locks it. */
static void learn(pthread_mutex_t *mutex, const struct wanted *wanted, const struct plf_plain *made)
{
	bool has_ceiling = wanted->protocol == PTHREAD_PRIO_PROTECT;

	if (wanted->pshared == PTHREAD_PROCESS_SHARED)
		return;
	if (wanted->protocol == PTHREAD_PRIO_NONE)
		plf_plain_made(mutex, made);
	else
		record(plf_protect_of(mutex),
		       plf_learn_mutex(made->call_site, made->order, wanted->protocol,
				       has_ceiling ? wanted->ceiling : 0));
}

/* Which call made a mutex counts, also that of one without attributes. */
static bool cares_for_sites(void)
{
	return plf_learning || plf_ceilings_known;
}

static int make(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr, const void *site)
{
	struct plf_plain made = { .call_site = site };
	struct wanted wanted;
	int error = 0;

	pthread_mutexattr_getprotocol(attr, &wanted.protocol);
	if (wanted.protocol == PTHREAD_PRIO_NONE && !cares_for_sites())
		return __pthread_mutex_init(mutex, attr);
	plf_process_begin();
	read_attr(attr, &wanted);
	if (cares_for_sites())
		made.order = plf_site_order(site);
	if (is_for_us(&wanted) || is_learned(&wanted, site, made.order))
		make_ours(plf_protect_of(mutex), &wanted);
	else
		error = __pthread_mutex_init(mutex, attr);
	if (error == 0 && plf_learning)
		learn(mutex, &wanted, &made);
	return error;
}

PLF_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	static const pthread_mutexattr_t plain;

	if (attr == NULL && !cares_for_sites())
		return __pthread_mutex_init(mutex, attr);
	return make(mutex, attr == NULL ? &plain : attr, __builtin_return_address(0));
}

PLF_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (plf_learning)
		plf_plain_gone(mutex);
	if (!plf_is_ours(mutex) || plf_is_destroyed(m))
		return __pthread_mutex_destroy(mutex);
	if (m->kind & PLF_KIND_RECORDED)
		plf_learn_destroyed(m->evidence);
	if (!plf_is_protect(m))
		return __pthread_mutex_destroy(mutex);
	if (plf_lock_word(m) != 0 && m->state != PLF_NOT_RECOVERABLE)
		return EBUSY;
	m->kind = -1; /* as the C library marks a destroyed mutex */
	return 0;
}

/* ---- Locking ----------------------------------------------------------- */

/* The caller holds it: the result, as POSIX has it, depends on its type. */
static int lock_again(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline)
{
	switch (m->kind & PLF_KIND_TYPE) {
	case PTHREAD_MUTEX_RECURSIVE:
		if (m->relocks == UINT_MAX)
			return EAGAIN;
		m->relocks++;
		return 0;
	case PTHREAD_MUTEX_ERRORCHECK:
		return may_wait ? EDEADLK : EBUSY;
	default:
		if (!may_wait)
			return EBUSY;
		plf_commit(PLF_CONTENDED);
		return plf_sleep_forever(deadline);
	}
}

static int lock_ours(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline)
{
	uint64_t waits = plf_counts.lock_waits;
	int error;

	if (plf_me.tid != 0 && plf_lock_word_is_mine(m))
		return lock_again(m, may_wait, deadline);
	plf_me.busy++;
	error = plf_section_open(m, may_wait, deadline);
	plf_me.busy--;
	if ((m->kind & PLF_KIND_RECORDED) != 0 && (error == 0 || error == EOWNERDEAD))
		plf_learn_locked(m->evidence, plf_counts.lock_waits != waits);
	return error;
}

/* A sleep for a mutex is no activation: the hook alone. */
static int lock_of_libc(pthread_mutex_t *mutex, const struct plf_deadline *deadline)
{
	int error = __pthread_mutex_trylock(mutex);

	if (error != EBUSY)
		return error;
	plf_before_wait_inside();
	if (deadline == NULL)
		error = __pthread_mutex_lock(mutex);
	else
		error = PLF_LIBC(pthread_mutex_clocklock)(mutex, deadline->clock, deadline->time);
	plf_uncover();
	return error;
}

/* The owner of a robust one whose last owner died stands in the lock word alone. */
static bool is_own_of_libc(const pthread_mutex_t *mutex)
{
	int owner = mutex->__data.__owner;

	if ((mutex->__data.__kind & PLF_KIND_INHERIT) != 0)
		owner = mutex->__data.__lock & PLF_TID_MASK;
	return owner == gettid();
}

/* An inherit or plain mutex whose use is evidence. */
static int lock_recorded(pthread_mutex_t *mutex, bool may_wait, const struct plf_deadline *deadline)
{
	struct plf_protect *m = plf_protect_of(mutex);
	bool again = is_own_of_libc(mutex);
	int error = __pthread_mutex_trylock(mutex);
	bool waited = error == EBUSY && may_wait;

	if (waited)
		error = lock_of_libc(mutex, deadline);
	if ((error == 0 || error == EOWNERDEAD) && !again)
		plf_learn_locked(m->evidence, waited);
	return error;
}

static int lock_slow(pthread_mutex_t *mutex, bool may_wait, const struct plf_deadline *deadline)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (plf_is_destroyed(m))
		return __pthread_mutex_trylock(mutex); /* which returns its error */
	if (!plf_is_protect(m))
		return lock_recorded(mutex, may_wait, deadline);
	return lock_ours(m, may_wait, deadline);
}

/* Without attributes but its type, and not adaptive: libc counts spins where evidence stands. */
static bool is_plain(const pthread_mutex_t *mutex)
{
	int kind = mutex->__data.__kind & ~PLF_KIND_ELISION;

	return kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_RECURSIVE ||
	       kind == PTHREAD_MUTEX_ERRORCHECK;
}

/* Known by the call that made it, else by this one, which locks it. Its holder of now has none. */
static void watch(pthread_mutex_t *mutex, const void *call_site)
{
	struct plf_plain made = { .call_site = call_site };

	if (!is_plain(mutex) || plf_registry_is(mutex) || !plf_learn_is_real_time())
		return;
	plf_plain_find(mutex, &made);
	record(plf_protect_of(mutex),
	       plf_learn_mutex(made.call_site, made.order, PTHREAD_PRIO_NONE, 0));
}

static int lock_watched(pthread_mutex_t *mutex)
{
	watch(mutex, __builtin_return_address(0));
	return plf_is_ours(mutex) ? lock_recorded(mutex, true, NULL) : __pthread_mutex_lock(mutex);
}

void plf_watch_plain_mutexes(void)
{
	plf_me.lock_libc = plf_lock_libc_outside = lock_watched;
}

int plf_lock_libc_inside(pthread_mutex_t *mutex)
{
	if (plf_learning)
		watch(mutex, __builtin_return_address(0));
	return plf_is_ours(mutex) ? lock_recorded(mutex, true, NULL) : lock_of_libc(mutex, NULL);
}

/* Apart, so that a mutex of the C library's saves no registers for it. */
__attribute__((noinline)) static int lock_marked(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (__builtin_expect(m->kind == PLF_KIND_FAST && plf_section_open_fast(m), 1))
		return 0;
	return lock_slow(mutex, true, NULL);
}

PLF_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) ? lock_marked(mutex) : plf_me.lock_libc(mutex);
}

static int lock_within(pthread_mutex_t *mutex, bool may_wait, const struct plf_deadline *deadline)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (m->kind == PLF_KIND_FAST && plf_section_open_fast(m))
		return 0;
	return lock_slow(mutex, may_wait, deadline);
}

PLF_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) ? lock_within(mutex, false, NULL)
				  : __pthread_mutex_trylock(mutex);
}

static int lock_until(pthread_mutex_t *mutex, const struct plf_deadline *deadline)
{
	return plf_is_ours(mutex) ? lock_within(mutex, true, deadline)
				  : lock_of_libc(mutex, deadline);
}

PLF_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
				       const struct timespec *restrict time)
{
	const struct plf_deadline deadline = { CLOCK_REALTIME, time };

	return lock_until(mutex, &deadline);
}

PLF_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
				       const struct timespec *restrict time)
{
	const struct plf_deadline deadline = { clock, time };

	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return lock_until(mutex, &deadline);
}

/* ---- Unlocking --------------------------------------------------------- */

static int unlock_ours(struct plf_protect *m)
{
	if (plf_me.tid == 0 || !plf_lock_word_is_mine(m))
		return EPERM;
	if (m->relocks > 0) {
		m->relocks--;
		return 0;
	}
	if (m->kind & PLF_KIND_RECORDED)
		plf_learn_unlocked(m->evidence);
	plf_me.busy++;
	plf_section_close(m);
	plf_me.busy--;
	return 0;
}

static int unlock_recorded(pthread_mutex_t *mutex)
{
	uint32_t evidence = plf_protect_of(mutex)->evidence;

	if (is_own_of_libc(mutex) && mutex->__data.__count <= 1)
		plf_learn_unlocked(evidence);
	return __pthread_mutex_unlock(mutex);
}

__attribute__((noinline)) static int unlock_marked(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (__builtin_expect(m->kind == PLF_KIND_FAST && plf_section_close_fast(m), 1))
		return 0;
	if (plf_is_destroyed(m))
		return __pthread_mutex_unlock(mutex);
	return plf_is_protect(m) ? unlock_ours(m) : unlock_recorded(mutex);
}

PLF_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) ? unlock_marked(mutex) : __pthread_mutex_unlock(mutex);
}

PLF_EXPORT int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (!plf_is_ours(mutex) || !plf_is_protect(m))
		return PLF_LIBC(pthread_mutex_consistent)(mutex);
	if (m->state != PLF_INCONSISTENT || !plf_lock_word_is_mine(m))
		return EINVAL;
	m->state = PLF_CONSISTENT;
	return 0;
}
