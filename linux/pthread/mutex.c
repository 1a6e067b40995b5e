/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The mutex calls of POSIX threads. A bit in the kind marks a mutex of ours. Every other mutex is
 * the C library's, for two or three instructions more.
 */
#include "ceilings.h"
#include "commit.h"
#include "convert.h"
#include "first_lock.h"
#include "learn.h"
#include "libc.h"
#include "mutex_calls.h"
#include "path.h"
#include "plain.h"
#include "process.h"
#include "section_fast.h"
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

/* Map the arena before a real-time thread needs it, and before the program locks its memory. */
static void prepare_places(void)
{
	if (plf_mode != PLF_MODE_LAZY || plf_arena != NULL)
		return;
	plf_me.busy++;
	plf_registry_lock();
	plf_arena_map(); /* without memory threads are eager */
	plf_registry_unlock();
	plf_me.busy--;
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

static enum plf_learned learned_from(int protocol)
{
	if (protocol == PTHREAD_PRIO_PROTECT)
		return PLF_LEARNED_NOT;
	return protocol == PTHREAD_PRIO_INHERIT ? PLF_LEARNED_INHERIT : PLF_LEARNED_PLAIN;
}

static void make_ours(struct plf_protect *m, const struct wanted *wanted)
{
	memset(m, 0, sizeof(*m));
	m->home = (uint32_t)wanted->ceiling;
	m->learned = learned_from(wanted->protocol) & 0xf;
	m->kind = kind_of(wanted);
	plf_stats_mutex_made(m->learned != PLF_LEARNED_NOT);
	make_strangers_look();
	prepare_places();
}

/* Take evidence of each use of the mutex. */
static void record(struct plf_protect *m, uint32_t evidence)
{
	m->evidence = (uint16_t)evidence;
	m->kind |= PLF_KIND_OURS | PLF_KIND_RECORDED;
}

/* A robust protect mutex is left to libc, which refuses it, unless the user asked for ours. */
static bool is_for_us(const struct wanted *wanted)
{
	if (plf_mode == PLF_MODE_OFF || wanted->pshared == PTHREAD_PROCESS_SHARED)
		return false;
	return wanted->protocol == PTHREAD_PRIO_PROTECT &&
	       (wanted->robust != PTHREAD_MUTEX_ROBUST || plf_robust_allowed);
}

/*
 * If this run makes more mutexes by a path than were learned, a new mutex may take the place of a
 * learned mutex.
 */
static int choice_by_path(const struct plf_plain *made)
{
	int choice = plf_ceiling_for(made->call_site, made->path, made->nth);

	if (choice == 0 && plf_ceiling_for(made->call_site, made->path, 1) != 0)
		plf_ceilings_one_too_many(made->call_site);
	return choice;
}

/* A variable of the program is recognised as such, every other mutex by the call that makes it. */
static int look_up_choice(const pthread_mutex_t *mutex, const struct plf_plain *made)
{
	int choice = plf_ceiling_for(mutex, 0, PLF_ORDER_VARIABLE);

	if (choice == 0 && made->path != 0)
		choice = choice_by_path(made);
	return choice != 0 ? choice : plf_ceiling_for(made->call_site, 0, made->order);
}

/*
 * The learned choice for an inherit or plain mutex; 0: none. It may be robust, because libc's
 * inherit mutexes may be robust, too.
 */
static int choice_of(const struct wanted *wanted, const pthread_mutex_t *mutex,
		     const struct plf_plain *made)
{
	int choice;

	if (plf_mode == PLF_MODE_OFF || !plf_ceilings_known ||
	    wanted->protocol == PTHREAD_PRIO_PROTECT || wanted->pshared == PTHREAD_PROCESS_SHARED)
		return 0;
	choice = look_up_choice(mutex, made);
	if (wanted->protocol == PTHREAD_PRIO_INHERIT || choice != 0)
		plf_ceilings_count(choice != 0);
	return choice;
}

/* The mutex is the C library's, and no thread uses it yet. */
static void make_to_inherit(pthread_mutex_t *mutex)
{
	mutex->__data.__kind |= PLF_KIND_INHERIT | PLF_KIND_DECIDED;
	plf_stats_made_to_inherit();
}

void plf_convert(pthread_mutex_t *mutex, int choice)
{
	int kind = mutex->__data.__kind;
	const struct wanted wanted = {
		.protocol = kind & PLF_KIND_INHERIT ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE,
		.type = kind & PLF_KIND_TYPE,
		.robust = kind & PLF_KIND_ROBUST ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED,
		.ceiling = choice,
	};

	if (choice == PLF_TO_INHERIT)
		make_to_inherit(mutex);
	else
		make_ours(plf_protect_of(mutex), &wanted);
	plf_ceilings_count(true);
}

/* Make a mutex of the C library. Its first lock decides nothing any more. */
static int make_of_libc(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr,
			const struct wanted *wanted, int choice)
{
	int error = plf_mutex_calls.init(mutex, attr);

	if (error != 0 || wanted->protocol != PTHREAD_PRIO_NONE)
		return error;
	if (choice == PLF_TO_INHERIT)
		make_to_inherit(mutex);
	else if (plf_ceilings_at_locks)
		mutex->__data.__kind |= PLF_KIND_DECIDED;
	return 0;
}

/* Take evidence of the new mutex. A plain mutex waits for a lock by a real-time thread. */
static void learn(pthread_mutex_t *mutex, const struct wanted *wanted, const struct plf_plain *made)
{
	bool has_ceiling = wanted->protocol == PTHREAD_PRIO_PROTECT;

	if (wanted->pshared == PTHREAD_PROCESS_SHARED)
		return;
	if (has_ceiling && !plf_is_ours(mutex))
		return; /* in mode off: with our mark it would be taken for ours */
	if (wanted->protocol == PTHREAD_PRIO_NONE)
		plf_plain_made(mutex, made);
	else
		record(plf_protect_of(mutex), plf_learn_mutex(made, mutex, wanted->protocol,
							      has_ceiling ? wanted->ceiling : 0));
}

/* Does it matter which call made a mutex? Then also for a mutex without attributes. */
static bool cares_for_sites(void)
{
	return plf_learning || plf_ceilings_known;
}

static void find_place(const pthread_mutex_t *mutex, struct plf_plain *made)
{
	made->order = plf_site_order(made->call_site, 0);
	made->path = plf_path_with(mutex);
	if (made->path != 0)
		made->nth = plf_site_order(made->call_site, made->path);
}

static int make(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr, const void *site)
{
	struct plf_plain made = { .call_site = site };
	struct wanted wanted;
	bool has_ceiling;
	int choice, error = 0;

	pthread_mutexattr_getprotocol(attr, &wanted.protocol);
	if (wanted.protocol == PTHREAD_PRIO_NONE && !cares_for_sites())
		return plf_mutex_calls.init(mutex, attr);
	plf_process_begin();
	read_attr(attr, &wanted);
	if (cares_for_sites())
		find_place(mutex, &made);
	choice = choice_of(&wanted, mutex, &made);
	has_ceiling = choice != 0 && choice != PLF_TO_INHERIT;
	if (has_ceiling)
		wanted.ceiling = choice;
	if (has_ceiling || is_for_us(&wanted))
		make_ours(plf_protect_of(mutex), &wanted);
	else
		error = make_of_libc(mutex, attr, &wanted, choice);
	if (error == 0 && plf_learning)
		learn(mutex, &wanted, &made);
	return error;
}

PLF_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	static const pthread_mutexattr_t plain;

	if (attr == NULL && !cares_for_sites())
		return plf_mutex_calls.init(mutex, attr);
	return make(mutex, attr == NULL ? &plain : attr, __builtin_return_address(0));
}

PLF_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (plf_learning)
		plf_plain_gone(mutex);
	if (!plf_is_ours(mutex) || plf_is_destroyed(m))
		return plf_mutex_calls.destroy(mutex);
	if (m->kind & PLF_KIND_RECORDED)
		plf_learn_destroyed(m->evidence);
	if (!plf_is_protect(m))
		return plf_mutex_calls.destroy(mutex);
	if (plf_lock_word(m) != 0 && m->state != PLF_NOT_RECOVERABLE)
		return EBUSY;
	m->kind = -1; /* as the C library marks a destroyed mutex */
	return 0;
}

/* ---- Locking ----------------------------------------------------------- */

/* As glibc: EDEADLK, but EBUSY for a plain mutex that is not robust. */
static int try_again(const struct plf_protect *m)
{
	return m->learned == PLF_LEARNED_PLAIN && (m->kind & PLF_KIND_ROBUST) == 0 ? EBUSY
										   : EDEADLK;
}

/* The caller holds the mutex, so the result depends on its type. */
static int lock_again(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline)
{
	switch (m->kind & PLF_KIND_TYPE) {
	case PTHREAD_MUTEX_RECURSIVE:
		if (m->relocks == UINT_MAX)
			return EAGAIN;
		m->relocks++;
		return 0;
	case PTHREAD_MUTEX_ERRORCHECK:
		return may_wait ? EDEADLK : try_again(m);
	default:
		if (!may_wait)
			return EBUSY;
		plf_commit(PLF_CONTENDED);
		return plf_sleep_forever(m, deadline);
	}
}

/* The mutex was locked, or a wait for it ended in vain. */
static void was_locked(const struct plf_protect *m, int error, const struct plf_learn_wait *waited)
{
	if (error == 0 || error == EOWNERDEAD)
		plf_learn_locked(m->evidence, waited);
	else if (waited != NULL)
		plf_learn_gave_up(m->evidence, waited);
}

static int lock_ours(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline)
{
	bool is_recorded = (m->kind & PLF_KIND_RECORDED) != 0;
	uint64_t waits = plf_counts.lock_waits;
	struct plf_learn_wait wait;
	int error;

	if (plf_me.tid != 0 && plf_lock_word_is_mine(m))
		return lock_again(m, may_wait, deadline);
	if (is_recorded)
		wait = plf_learn_wait_for(plf_lock_word(m) & PLF_TID_MASK);
	plf_me.busy++;
	error = plf_section_open(m, may_wait, deadline);
	plf_me.busy--;
	if (is_recorded)
		was_locked(m, error, plf_counts.lock_waits != waits ? &wait : NULL);
	return error;
}

/* A race checker knows the older call, but perhaps not the newer call. */
static int lock_of_libc_until(pthread_mutex_t *mutex, const struct plf_deadline *deadline)
{
	if (deadline->clock == CLOCK_REALTIME)
		return PLF_LIBC(pthread_mutex_timedlock)(mutex, deadline->time);
	return PLF_LIBC(pthread_mutex_clocklock)(mutex, deadline->clock, deadline->time);
}

/* A sleep for a mutex is no activation, so only the wake hook follows. */
static int lock_of_libc(pthread_mutex_t *mutex, const struct plf_deadline *deadline)
{
	int error = plf_mutex_calls.trylock(mutex);

	if (error != EBUSY)
		return error;
	plf_before_wait_inside();
	if (deadline == NULL)
		error = plf_mutex_calls.lock(mutex);
	else
		error = lock_of_libc_until(mutex, deadline);
	plf_uncover();
	return error;
}

/* If the last owner of a robust inherit mutex died, only the lock word has the present owner. */
static int owner_of_libc(const pthread_mutex_t *mutex)
{
	int inherits = mutex->__data.__kind & PLF_KIND_INHERIT;

	if (inherits != 0)
		return __atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) & PLF_TID_MASK;
	return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
}

static bool is_own_of_libc(const pthread_mutex_t *mutex)
{
	return owner_of_libc(mutex) == gettid();
}

/* Lock an inherit or plain mutex whose use is evidence. */
static int lock_recorded(pthread_mutex_t *mutex, bool may_wait, const struct plf_deadline *deadline)
{
	struct plf_protect *m = plf_protect_of(mutex);
	bool again = is_own_of_libc(mutex);
	int error = plf_mutex_calls.trylock(mutex);
	bool waited = error == EBUSY && may_wait;
	struct plf_learn_wait wait;

	if (waited) {
		wait = plf_learn_wait_for((uint32_t)owner_of_libc(mutex));
		error = lock_of_libc(mutex, deadline);
	}
	if (!again)
		was_locked(m, error, waited ? &wait : NULL);
	return error;
}

__attribute__((noinline)) static int lock_slow(pthread_mutex_t *mutex, bool may_wait,
					       const struct plf_deadline *deadline)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (plf_is_destroyed(m))
		return plf_mutex_calls.trylock(mutex); /* which returns its error */
	if (!plf_is_protect(m))
		return lock_recorded(mutex, may_wait, deadline);
	return lock_ours(m, may_wait, deadline);
}

/* No attribute but the type. Not adaptive, because libc counts spins in the evidence's word. */
static bool is_plain(const pthread_mutex_t *mutex)
{
	int kind = mutex->__data.__kind & ~(PLF_KIND_ELISION | PLF_KIND_DECIDED);

	return kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_RECURSIVE ||
	       kind == PTHREAD_MUTEX_ERRORCHECK;
}

/* The mutex is known by the call that made it, else by the first call that locked it. */
static void watch(pthread_mutex_t *mutex, const void *call_site)
{
	struct plf_plain made = { .call_site = call_site };
	uint32_t evidence;

	if (!is_plain(mutex) || plf_registry_is(mutex))
		return;
	if (!plf_plain_find(mutex, &made))
		plf_plain_made(mutex, &made);
	if (!plf_learn_is_real_time())
		return;
	evidence = plf_learn_mutex(&made, mutex, PTHREAD_PRIO_NONE, 0);
	plf_learn_locked_at(evidence, call_site);
	record(plf_protect_of(mutex), evidence);
}

/* A mutex of the C library is about to be locked. It may become ours here. */
static void see(pthread_mutex_t *mutex, const void *call_site)
{
	if (plf_ceilings_at_locks && plf_is_undecided(mutex))
		plf_first_lock(mutex, call_site);
	if (plf_learning)
		watch(mutex, call_site);
}

static int lock_seen(pthread_mutex_t *mutex)
{
	see(mutex, __builtin_return_address(0));
	return plf_is_ours(mutex) ? lock_slow(mutex, true, NULL) : plf_mutex_calls.lock(mutex);
}

static int trylock_seen(pthread_mutex_t *mutex)
{
	if (plf_is_undecided(mutex))
		plf_first_lock(mutex, __builtin_return_address(0));
	return plf_is_ours(mutex) ? lock_slow(mutex, false, NULL) : plf_mutex_calls.trylock(mutex);
}

static int trylock_unseen(pthread_mutex_t *mutex)
{
	return plf_mutex_calls.trylock(mutex);
}

static int (*trylock_libc)(pthread_mutex_t *) = trylock_unseen;

void plf_see_locks(void)
{
	plf_me.lock_libc = plf_lock_libc_outside = lock_seen;
	if (plf_ceilings_at_locks)
		trylock_libc = trylock_seen;
}

int plf_lock_libc_inside(pthread_mutex_t *mutex)
{
	see(mutex, __builtin_return_address(0));
	return plf_is_ours(mutex) ? lock_slow(mutex, true, NULL) : lock_of_libc(mutex, NULL);
}

__attribute__((noinline)) static int lock_after_taking_back(pthread_mutex_t *mutex, bool may_wait,
							    const struct plf_deadline *deadline)
{
	plf_take_back_first();
	return lock_slow(mutex, may_wait, deadline);
}

/* All calls here are jumps, so no path saves registers. */
PLF_INTO_ITS_CALLER static inline int lock_marked(pthread_mutex_t *mutex, bool may_wait,
						  const struct plf_deadline *deadline)
{
	struct plf_protect *m = plf_protect_of(mutex);
	enum plf_fast fast = PLF_FAST_NOT;

	plf_barrier(); /* kind is read again, so plf_is_ours() needs no register */
	if (__builtin_expect(m->kind == PLF_KIND_FAST, 1))
		fast = plf_fast_open(m);
	if (__builtin_expect(fast == PLF_FAST, 1))
		return 0;
	if (fast == PLF_FAST_TAKE_BACK)
		return lock_after_taking_back(mutex, may_wait, deadline);
	return lock_slow(mutex, may_wait, deadline);
}

PLF_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) ? lock_marked(mutex, true, NULL) : plf_me.lock_libc(mutex);
}

static int lock_within(pthread_mutex_t *mutex, bool may_wait, const struct plf_deadline *deadline)
{
	return lock_marked(mutex, may_wait, deadline);
}

PLF_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) ? lock_within(mutex, false, NULL) : trylock_libc(mutex);
}

static int lock_until(pthread_mutex_t *mutex, const struct plf_deadline *deadline,
		      const void *call_site)
{
	if (!plf_is_ours(mutex))
		see(mutex, call_site);
	return plf_is_ours(mutex) ? lock_within(mutex, true, deadline)
				  : lock_of_libc(mutex, deadline);
}

PLF_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
				       const struct timespec *restrict time)
{
	const struct plf_deadline deadline = { CLOCK_REALTIME, time };

	return lock_until(mutex, &deadline, __builtin_return_address(0));
}

PLF_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
				       const struct timespec *restrict time)
{
	const struct plf_deadline deadline = { clock, time };

	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return lock_until(mutex, &deadline, __builtin_return_address(0));
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

	if (!is_own_of_libc(mutex))
		plf_learn_handed_over(evidence);
	else if (mutex->__data.__count <= 1)
		plf_learn_unlocked(evidence);
	return plf_mutex_calls.unlock(mutex);
}

__attribute__((noinline)) static int unlock_slow(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);

	if (plf_is_destroyed(m))
		return plf_mutex_calls.unlock(mutex);
	return plf_is_protect(m) ? unlock_ours(m) : unlock_recorded(mutex);
}

PLF_INTO_ITS_CALLER static inline int unlock_marked(pthread_mutex_t *mutex)
{
	struct plf_protect *m = plf_protect_of(mutex);
	enum plf_fast fast = PLF_FAST_NOT;

	plf_barrier();
	if (__builtin_expect(m->kind == PLF_KIND_FAST, 1))
		fast = plf_fast_close(m);
	if (__builtin_expect(fast == PLF_FAST, 1))
		return 0;
	return fast == PLF_FAST_END ? plf_section_end_first() : unlock_slow(mutex);
}

PLF_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) ? unlock_marked(mutex) : plf_mutex_calls.unlock(mutex);
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
