/* SPDX-License-Identifier: MIT */

/*
 * Keeper `eager`: the classic immediate ceiling. System calls raise the priority on entry and
 * restore it on exit, as glibc's PTHREAD_PRIO_PROTECT does. So the ceiling also holds against
 * threads that do not use this library.
 *
 * The mutex's word keeps exclusion: it names the holder's frame. A thread that finds the mutex
 * taken sleeps on that frame's gate, as in the ceiling stack. That happens only if users run on
 * several CPUs. So every operation is a full atomic operation, and owners shut their gates
 * beforehand. A waiter may look just before the holder leaves, and before it enters another mutex
 * by the same frame. Then it also waits for that mutex.
 *
 * Invariant: a frame that a mutex names has its owner's TID in its gate, unless the owner is gone.
 * The owner's generation or its life then shows that.
 */
#include "admission.h"
#include "effective.h"
#include "gate.h"
#include "keeper.h"

static bool swap(plf_half *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

/* The half of the mutex's word that names the holder. The other half serves only the fast path. */
static plf_half *holder(plf_mutex_t *mutex)
{
	return plf_high32(&mutex->word);
}

/*
 * Sleep at the holder's gate. If MUTEX still names the frame when T has the gate, the owner is
 * gone. The generation or the kernel's robust list shows that. Without such a list, note the death
 * here.
 */
static int wait_for(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ref, uint64_t until_ns)
{
	struct plf_frame *f = plf_frame_of(t, plf_word(ref, 0));
	struct plf_slot *owner = plf_slot_of(plf_owner_of(f));
	int error;

	plf_slot_visit(owner);
	error = plf_gate_acquire(&owner->thread, &f->gate, until_ns);
	if (error == 0) {
		plf_slot_of(t)->stats.gate_waits++;
		if (__atomic_load_n(holder(mutex), __ATOMIC_SEQ_CST) == ref &&
		    !plf_ref_is_gone(t, ref))
			plf_store32(&owner->thread.life.word, PLF_OWNER_DIED);
		plf_gate_release(&f->gate, t->tid);
	}
	plf_slot_end_visit(owner);
	return error == EAGAIN ? 0 : error;
}

/*
 * No time limit counts here: threads that have the gate are on their way out of the last section.
 */
static int take_gate(struct plf_thread *t, struct plf_frame *f)
{
	return swap(&f->gate.word, 0, t->tid) ? 0 : plf_gate_acquire(t, &f->gate, PLF_WITHOUT_END);
}

/*
 * Make F the holder instead of `before`, which is no frame, or a frame whose owner went with the
 * mutex. The thread that succeeds then reports the death.
 */
static int replace_holder(struct plf_thread *t, plf_mutex_t *mutex, struct plf_frame *f,
			  uint32_t before)
{
	int error = take_gate(t, f);

	if (error != 0)
		return error;
	if (!swap(holder(mutex), before, f->ref)) {
		plf_gate_release(&f->gate, t->tid);
		return EAGAIN;
	}
	if (before != 0)
		plf_learn_of_death(mutex);
	return 0;
}

static int take(struct plf_thread *t, plf_mutex_t *mutex, struct plf_frame *f, uint64_t until_ns)
{
	for (;;) {
		uint32_t ref = __atomic_load_n(holder(mutex), __ATOMIC_SEQ_CST);
		int error;

		if (ref == 0 || plf_ref_is_gone(t, ref)) {
			error = replace_holder(t, mutex, f, ref);
			if (error == 0)
				return 0;
		} else {
			error = until_ns == PLF_NOT_AT_ALL ? EBUSY
							   : wait_for(t, mutex, ref, until_ns);
		}
		if (error != 0 && error != EAGAIN)
			return error;
	}
}

static void give(struct plf_thread *t, plf_mutex_t *mutex, struct plf_frame *f)
{
	__atomic_store_n(holder(mutex), 0, __ATOMIC_SEQ_CST);
	plf_gate_release(&f->gate, t->tid);
}

static uint32_t held(struct plf_thread *t)
{
	return t->nested;
}

/* Sections use the frames from 1 on, because frame 0 belongs to the ceiling stack's fast path. */
static struct plf_frame *innermost(struct plf_thread *t)
{
	return t->nested > 0 ? &t->frame[t->nested] : NULL;
}

/* Restore the priority. Lowering it is never refused. */
static int leave(struct plf_thread *t)
{
	struct plf_slot *slot = plf_slot_of(t);

	plf_gate_release(&t->frame[t->nested].gate, t->tid);
	plf_set_effective(slot, slot->effective_before[t->nested--]);
	return 0;
}

/*
 * The word of a mutex across CPUs keeps exclusion. So here its section only raises the priority;
 * its frame's gate is not used.
 */
static int open_global(struct plf_thread *t, bool granted, uint64_t until_ns)
{
	struct plf_slot *slot = plf_slot_of(t);
	int before = slot->effective;
	int priority = PLF_GLOBAL_BAND + slot->priority;
	int error = plf_set_effective(slot, priority > before ? priority : before);

	(void)granted;
	(void)until_ns;
	if (error == 0)
		slot->effective_before[++t->nested] = before;
	return error;
}

static int lock(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	struct plf_slot *slot = plf_slot_of(t);
	int ceiling = (int)plf_load32(&mutex->ceiling);
	int before = slot->effective;
	int error = plf_admit(t, mutex, ceiling, t->nested);

	if (error == 0)
		error = plf_set_effective(slot, ceiling > before ? ceiling : before);
	if (error != 0)
		return error;
	error = take(t, mutex, &t->frame[t->nested + 1], until_ns);
	if (error != 0) {
		plf_set_effective(slot, before);
		return error;
	}
	slot->effective_before[++t->nested] = before;
	if (mutex->state == PLF_MUTEX_CONSISTENT)
		return 0;
	if (mutex->state == PLF_MUTEX_INCONSISTENT)
		return EOWNERDEAD;
	__atomic_store_n(holder(mutex), 0, __ATOMIC_SEQ_CST);
	leave(t);
	return ENOTRECOVERABLE;
}

/* FOUND says nothing, because the inline half refuses these threads. */
static int unlock(struct plf_thread *t, plf_mutex_t *mutex, enum plf_outcome found)
{
	(void)found;
	if (!plf_is_named(innermost(t), mutex))
		return EPERM;
	if (mutex->state == PLF_MUTEX_INCONSISTENT)
		mutex->state = PLF_MUTEX_NOT_RECOVERABLE;
	__atomic_store_n(holder(mutex), 0, __ATOMIC_RELEASE);
	return leave(t);
}

/* Hold MUTEX during the change, at the caller's own priority. */
static int set_ceiling(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling)
{
	struct plf_frame *f = &t->frame[t->nested + 1];
	int error;

	if (t->nested == PLF_DEPTH_MAX)
		return EAGAIN;
	error = take(t, mutex, f, PLF_NOT_AT_ALL);
	if (error != 0)
		return error;
	plf_store32(&mutex->ceiling, ceiling);
	give(t, mutex, f);
	return 0;
}

static int join(struct plf_thread *t)
{
	(void)t;
	return 0;
}

/*
 * In the child all gates are open. Shut the gates of frames 1 to `nested`, which hold T's sections.
 */
static void after_fork(struct plf_thread *t)
{
	for (uint32_t level = 1; level <= t->nested; level++)
		t->frame[level].gate.word = t->tid;
}

const struct plf_keeper plf_eager = {
	.name = "syscall",
	.flag = PLF_BACKEND_SYSCALL,
	.after_fork = after_fork,
	.join = join,
	.lock = lock,
	.unlock = unlock,
	.open_global = open_global,
	.leave = leave,
	.set_ceiling = set_ceiling,
	.held = held,
	.innermost = innermost,
};
