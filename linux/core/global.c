/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * Mutexes across CPUs, after the multiprocessor priority ceiling protocol (Mueller 2014, VII.A).
 * protocol/global_word.h describes the word of such a mutex.
 *
 * A section has a frame whose rank is above all ceilings of the CPU. So all threads of the CPU that
 * carry the hook stay behind it, without a system call or a Linux priority. A thread that must wait
 * has no section open. It first raises itself into the *band*: priorities above all base
 * priorities, in the same order. Then it stands in the kernel's queue. The kernel lends the band's
 * priority to the holder, so the holder runs even against threads without the hook. The waiter
 * comes down when its section is over.
 *
 * Invariants (T is a thread, M a mutex of this kind):
 *  I1  While T holds M, T has a frame or is in the band.
 *  I2  A thread that stands in line is in the band, from before that until its frame is gone. When
 *      it pushes the frame, it counts with its global rank. So it waits for more urgent sections
 *      across CPUs on its own CPU, and goes before all other threads.
 *  I3  A thread that waits for M has no section open, so no section of a CPU ever waits for a
 *      section of another CPU. A thread inside such a section opens no section of its CPU alone,
 *      because another thread, which I2 let it overtake, may be inside that section.
 *  I4  slot->global[n] is M while T's frame n holds M. slot->globals is the number of such frames,
 *      plus one for each M that T locked again. The additional count makes the fast paths refuse.
 *  I5  A thread that spins for M has only the frame of that section, and no mutex. No thread of
 *      another CPU waits for that frame. So the holder, which is on another CPU, never waits for
 *      the spinning thread. Spinning ends if a thread of the same CPU comes to the frame's gate, or
 *      when the time is over.
 */
#include "global.h"

#include "admission.h"
#include "clock.h"
#include "effective.h"
#include "futex.h"
#include "gate.h"
#include "keeper.h"
#include "recursive.h"

#include <plafond/global_word.h>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- The band ---------------------------------------------------------- */

/* Never lower the thread: under keeper `eager`, an outer section may have a higher ceiling. */
static int raise_to_band(struct plf_slot *slot)
{
	int priority = PLF_GLOBAL_BAND + slot->priority;

	return plf_set_effective(slot, priority > slot->effective ? priority : slot->effective);
}

/* Try the band once, so that a thread without the privilege learns it from its first lock. */
static bool has_room(struct plf_slot *slot)
{
	int before = slot->effective;

	if (slot->has_band)
		return true;
	if (raise_to_band(slot) != 0)
		return false;
	plf_set_effective(slot, before);
	slot->has_band = true;
	return true;
}

/*
 * If T is outside all sections, return it to its base priority. As after any wait, it then waits
 * for sections of its CPU that were opened meanwhile. If the kernel refuses that wait, or T has no
 * more time, the next hook makes up for it. The unlock does not fail, because M is free.
 */
static void come_down(struct plf_thread *t, uint64_t until_ns)
{
	struct plf_slot *slot = plf_slot_of(t);
	int refused;

	if (slot->effective == slot->priority || plf_is_inside(t))
		return;
	plf_set_effective(slot, slot->priority);
	refused = plf_wait_uncovered(t, until_ns);
	(void)refused;
}

/* ---- The word ---------------------------------------------------------- */

static uint32_t *futex_of(plf_mutex_t *mutex)
{
	return (uint32_t *)(void *)&mutex->holder;
}

/* Is there no such thread in this process? In a child of fork(), the parent's threads are none. */
static bool is_no_thread(uint32_t tid)
{
	int saved = errno;
	bool is_none = syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;

	errno = saved;
	return is_none;
}

/* Do threads sleep on the PI futex? Then the kernel refuses to wake them by this call. */
static bool has_sleepers(plf_mutex_t *mutex)
{
	return plf_futex_wake(futex_of(mutex)) == EINVAL;
}

/*
 * Is the holder in `seen` gone, with no thread left to which the kernel hands M on? The reference
 * shows that, even if its TID belongs to another thread now. `has_vanished`: the kernel reported
 * that there is no such TID. Without robust lists, only the kernel's report shows it.
 */
static bool is_abandoned(struct plf_thread *t, plf_mutex_t *mutex, uint64_t seen, bool has_vanished)
{
	bool is_gone = plf_global_is_noted(seen) && plf_ref_is_gone(t, plf_word_ref(seen));

	if (!is_gone && (has_vanished || !plf_global_is_noted(seen)))
		is_gone = is_no_thread((uint32_t)seen & PLF_GLOBAL_TID);
	return is_gone && !(plf_global_has_flags(seen) && has_sleepers(mutex));
}

/* Take M, free or abandoned, in the name of the frame REF. Do not wait. */
static bool take(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ref, bool has_vanished)
{
	uint64_t seen = plf_global_seen(&mutex->holder);

	if (seen != 0 && !is_abandoned(t, mutex, seen, has_vanished))
		return false;
	if (!plf_global_take(&mutex->holder, seen, ref, t->tid))
		return false;
	if (seen != 0)
		plf_learn_of_death(mutex);
	return true;
}

static void give(struct plf_thread *t, plf_mutex_t *mutex)
{
	uint32_t ref = plf_word_ref(plf_global_seen(&mutex->holder));

	if (!plf_global_give(&mutex->holder, ref, t->tid))
		plf_futex_unlock_pi(futex_of(mutex));
}

/* A bare system call, because a lock is no cancellation point. */
static void nap(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };
	int saved = errno;

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
	errno = saved;
}

/*
 * Stand in line until T has M, in the name of its frame 0.
 *
 * EINVAL: the kernel took M from a dead holder, and the next holder has not run yet. That holder
 * may be less urgent than T, so T must sleep. ESRCH: the holder is dead, and no thread waits for M.
 * If T cannot take M even then, the word changes too fast, or names a process's first thread, whose
 * TID outlives the thread. T must not spin for that.
 */
static int stand_in_line(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	int error = 0;

	while (!take(t, mutex, t->ref, error == ESRCH)) {
		if (error == EINVAL || error == ESRCH) {
			if (plf_clock_ns() >= until_ns)
				return ETIMEDOUT;
			nap();
		}
		error = plf_futex_lock_pi(futex_of(mutex), until_ns);
		if (error == 0) {
			if (plf_global_granted(&mutex->holder, t->ref))
				plf_learn_of_death(mutex);
			return 0;
		}
		if (error != EINVAL && error != ESRCH && error != EAGAIN && error != EINTR)
			return error;
	}
	return 0;
}

/* ---- Spinning ---------------------------------------------------------- */

/*
 * Do its words show that the holder in `seen` is at work on another CPU? Then no thread of its CPU
 * stands at its gate. No thread stands in line either, because the kernel would hand M to that
 * thread.
 */
static bool is_at_work(struct plf_thread *t, uint64_t seen)
{
	const struct plf_frame *f = plf_frame_of(t, seen);

	return plf_global_is_noted(seen) && !plf_global_has_flags(seen) &&
	       !plf_ref_is_gone(t, plf_word_ref(seen)) && plf_owner_of(f)->cpu != t->cpu &&
	       plf_load32(&f->gate.word) == 0;
}

/*
 * Spin for M, in the name of F, T's newest frame. Stop when the holder is not at work, when a
 * thread of T's CPU stands at F's gate, or when M's or T's time is over. If T may not wait, look
 * only once. True: T has M.
 */
static bool spin(struct plf_thread *t, plf_mutex_t *mutex, const struct plf_frame *f,
		 uint64_t until_ns)
{
	uint32_t spin_ns = plf_load32(&mutex->spin_ns);
	uint64_t end_ns, seen;

	if (spin_ns == 0 || plf_held(t) != 1)
		return false;
	end_ns = plf_clock_ns() + spin_ns;
	if (end_ns > until_ns)
		end_ns = until_ns;
	do {
		plf_relax();
		seen = plf_global_seen(&mutex->holder);
		if (seen == 0 && take(t, mutex, f->ref, false))
			return true;
	} while ((seen == 0 || is_at_work(t, seen)) && plf_load32(&f->gate.word) == 0 &&
		 plf_clock_ns() < end_ns);
	return false;
}

/* ---- Sections ---------------------------------------------------------- */

static int open_priority(struct plf_thread *t, bool granted, uint64_t until_ns)
{
	if (plf_load32(t->cpu_now) != t->cpu)
		return EXDEV;
	return plf_slot_of(t)->keeper->open_global(t, granted, until_ns);
}

static int leave(struct plf_thread *t)
{
	return plf_slot_of(t)->keeper->leave(t);
}

/*
 * Do not touch the section's mutex: it is free, and its next holder may have destroyed it. F is T's
 * newest frame.
 */
__attribute__((noinline)) static int end_section(struct plf_thread *t, const struct plf_frame *f)
{
	struct plf_slot *slot = plf_slot_of(t);
	int error = leave(t);

	if (error != 0)
		return error;
	slot->global[f->level] = NULL;
	slot->globals--;
	come_down(t, PLF_WITHOUT_END);
	return 0;
}

/* Free M before its frame goes. If only M could be freed, a second call removes the frame. */
__attribute__((noinline)) static int close_section(struct plf_thread *t, plf_mutex_t *mutex)
{
	struct plf_slot *slot = plf_slot_of(t);
	const struct plf_frame *f = slot->keeper->innermost(t);

	if (plf_is_held_again(t, mutex))
		return plf_unlock_again(t, mutex);
	if (f == NULL || slot->global[f->level] != mutex)
		return EPERM;
	if (plf_holds(t, mutex)) {
		if (mutex->state == PLF_MUTEX_INCONSISTENT)
			mutex->state = PLF_MUTEX_NOT_RECOVERABLE;
		give(t, mutex);
	}
	return end_section(t, f);
}

/*
 * T has M. From now on F, T's newest frame, holds M. M's state is stable only now, because a thread
 * of another CPU may have had M before, and given up its data.
 */
static int open_section(struct plf_thread *t, plf_mutex_t *mutex, const struct plf_frame *f)
{
	struct plf_slot *slot = plf_slot_of(t);
	int error;

	slot->global[f->level] = mutex;
	slot->globals++;
	if (mutex->state == PLF_MUTEX_CONSISTENT)
		return 0;
	if (mutex->state == PLF_MUTEX_INCONSISTENT)
		return EOWNERDEAD;
	error = close_section(t, mutex);
	return error != 0 ? error : ENOTRECOVERABLE;
}

static int wait_and_open(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	const struct plf_frame *f;
	int error = EINVAL;

	if (raise_to_band(plf_slot_of(t)) == 0)
		error = stand_in_line(t, mutex, until_ns);
	if (error == 0) {
		error = open_priority(t, true, until_ns);
		if (error == 0) {
			f = plf_slot_of(t)->keeper->innermost(t);
			plf_global_note(&mutex->holder, f->ref);
			return open_section(t, mutex, f);
		}
		give(t, mutex);
	}
	come_down(t, until_ns);
	return error;
}

/* May T lock M at all? */
static int admit(struct plf_thread *t, const plf_mutex_t *mutex)
{
	struct plf_slot *slot = plf_slot_of(t);

	if (t->strength == PLF_STRENGTH_STRICT || slot->keeper->open_global == NULL ||
	    slot->supply != NULL)
		return ENOTSUP;
	if (slot->priority >= PLF_GLOBAL_BAND || !has_room(slot))
		return EINVAL;
	if (plf_load32(t->cpu_now) != t->cpu)
		return EXDEV;
	if (plf_holds(t, mutex))
		return EDEADLK;
	return plf_held(t) == PLF_DEPTH_MAX ? EAGAIN : 0;
}

/*
 * Lock a free mutex with frame 0, if T was admitted before and has nothing open on this CPU. SLOW:
 * it is not so simple; nothing was changed. RECHECK: the frame is pushed, but the mutex is held.
 */
static enum plf_outcome lock_fast(struct plf_thread *t, plf_mutex_t *mutex)
{
	struct plf_slot *slot = plf_slot_of(t);
	uint64_t word = slot->global_word;

	if (word == 0 || !plf_is64(t->top, 0) || plf_by_cas.swap(t, t->top, 0, word) != PLF_WRITTEN)
		return PLF_SLOW;
	return plf_global_take(&mutex->holder, 0, t->ref, t->tid) ? PLF_DONE : PLF_RECHECK;
}

/*
 * SLOW: as above. RECHECK: the mutex is free, but the frame is left. HANDOFF: a thread is at the
 * gate.
 */
static enum plf_outcome unlock_fast(struct plf_thread *t, plf_mutex_t *mutex)
{
	struct plf_slot *slot = plf_slot_of(t);
	uint64_t word = slot->global_word;

	if (word == 0 || slot->global[0] != mutex || slot->globals != 1 ||
	    !plf_is64(t->top, word) || mutex->state != PLF_MUTEX_CONSISTENT ||
	    slot->effective != slot->priority ||
	    !plf_global_take(&mutex->holder, plf_global_word(t->ref, t->tid), 0, 0))
		return PLF_SLOW;
	if (plf_by_cas.swap(t, t->top, word, 0) != PLF_WRITTEN)
		return PLF_RECHECK;
	slot->global[0] = NULL;
	slot->globals = 0;
	return plf_load32(&t->frame[0].gate.word) == 0 ? PLF_DONE : PLF_HANDOFF;
}

/* Not inlined, as close_section(), so that the fast path saves no registers for it. */
__attribute__((noinline)) static int lock_slow(struct plf_thread *t, plf_mutex_t *mutex,
					       uint64_t until_ns, enum plf_outcome found)
{
	const struct plf_frame *f;
	int error;

	if (plf_may_lock_again(t, mutex))
		return plf_lock_again(t, mutex);
	error = found == PLF_RECHECK ? 0 : admit(t, mutex);
	if (error == 0 && found != PLF_RECHECK)
		error = open_priority(t, false, until_ns);
	if (error != 0)
		return error;
	f = plf_slot_of(t)->keeper->innermost(t);
	if (take(t, mutex, f->ref, false) || spin(t, mutex, f, until_ns))
		return open_section(t, mutex, f);
	error = leave(t);
	if (error != 0)
		return error;
	if (until_ns == PLF_NOT_AT_ALL)
		return EBUSY;
	return plf_is_inside(t) ? EDEADLK : wait_and_open(t, mutex, until_ns);
}

int plf_global_lock(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	enum plf_outcome found = lock_fast(t, mutex);

	if (found == PLF_DONE)
		return open_section(t, mutex, &t->frame[0]);
	return lock_slow(t, mutex, until_ns, found);
}

int plf_global_unlock(struct plf_thread *t, plf_mutex_t *mutex)
{
	enum plf_outcome found = unlock_fast(t, mutex);

	if (found == PLF_SLOW)
		return close_section(t, mutex);
	if (found == PLF_RECHECK)
		return end_section(t, &t->frame[0]);
	if (found == PLF_HANDOFF)
		plf_gates_release(&t->frame[0], t->tid);
	return 0;
}

void plf_global_abandon(struct plf_thread *t)
{
	struct plf_slot *slot = plf_slot_of(t);

	for (size_t level = 0; level < PLF_FRAMES; level++) {
		plf_mutex_t *mutex = slot->global[level];

		slot->global[level] = NULL;
		if (mutex == NULL || !plf_holds(t, mutex))
			continue;
		plf_learn_of_death(mutex);
		give(t, mutex);
	}
	slot->globals = 0;
}

void plf_global_after_fork(struct plf_thread *t)
{
	struct plf_slot *slot = plf_slot_of(t);

	for (size_t level = 0; level < PLF_FRAMES; level++)
		if (slot->global[level] != NULL && plf_holds(t, slot->global[level]))
			slot->global[level]->holder = plf_global_word(t->frame[level].ref, t->tid);
}
