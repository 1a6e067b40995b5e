/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * Keeper `claims`: a thread claims the ceiling in its own words. When it would lose the CPU,
 * plafond.ko raises it (protocol/lazy_ceiling.h: Almatary, Audsley, Burns 2015, Sections III and
 * V). So a mutex is found held only if its holder suspended itself inside, died there, or could not
 * be raised above others of priority 99.
 *
 * A thread's n-th open section has the name of its frame n; only the frame's gates are used. A
 * thread that finds a mutex held flags it as contended, shuts a gate of the frame in the holder's
 * name, and sleeps on it. The kernel lends the holder its priority.
 *
 * Invariants (T holds the mutex as its section n, W waits):
 *  I1  W sleeps only if, after W shut the gate, the mutex was still T's n-th section and contended.
 *      T frees the mutex, and then, if it was contended, looks at the gates. So W sees the mutex
 *      freed, or T sees the gate shut. T's next section n begins uncontended, even with the same
 *      mutex, and W flags it again.
 *  I2  W sleeps on the second gate only while it owns the first. Waiters of T's last section n may
 *      have the first gate, so the second is free of them (as in ceiling_stack.h, I6).
 *  I3  While W waits, it claims nothing for this section.
 *  I4  A thread that frees a mutex keeps its claim until the gates are open. So a thread that was
 *      kept out runs after that.
 *  I5  If a mutex names a section of a thread that is gone, it is taken over by compare-and-swap.
 *      So only one finder reports the death.
 *
 * The fast paths refuse a free mutex whose word does not show its ceiling: it was never locked, got
 * another ceiling, or is not recoverable. The functions here set the word right.
 */
#include "admission.h"
#include "device.h"
#include "gate.h"
#include "keeper.h"

#include <sched.h>

static uint32_t strength_of(const struct plf_thread *t)
{
	return t->strength == PLF_STRENGTH_STRICT ? PLF_LAZY_STRICT : PLF_LAZY_ROBUST;
}

static uint32_t held(struct plf_thread *t)
{
	return plf_lazy_depth(&plf_lazy_self, strength_of(t));
}

static struct plf_frame *innermost(struct plf_thread *t)
{
	uint32_t open = held(t);

	return open > 0 ? &t->frame[open - 1] : NULL;
}

/* ---- The thread and the kernel ----------------------------------------- */

static int join(struct plf_thread *t)
{
	uint32_t priority = (uint32_t)plf_slot_of(t)->priority;
	int error;

	plf_registry_lock();
	error = plf_device_open();
	plf_registry_unlock();
	if (error != 0)
		return error;
	plf_lazy_prepare(&plf_lazy_self, strength_of(t), t->ref, plf_rank(t->cpu, priority));
	return plf_device_register(&plf_lazy_self);
}

static void part(void)
{
	plf_device_unregister();
	plf_store64(&plf_lazy_self.claim[PLF_LAZY_STRICT], PLF_LAZY_UNUSED);
	plf_store64(&plf_lazy_self.claim[PLF_LAZY_ROBUST], PLF_LAZY_UNUSED);
}

/*
 * The child's thread has the parent's claims, and perhaps its raised priority, but is not
 * registered. Under SCHED_RESET_ON_FORK the kernel took its priority away, and that is its base
 * from now on. Sections that are open then keep only exclusion. The same holds if the kernel has no
 * memory to register the thread.
 */
static void after_fork(struct plf_thread *t)
{
	struct plf_slot *slot = plf_slot_of(t);
	struct sched_param param = { .sched_priority = slot->priority };

	if ((slot->policy_flags & SCHED_RESET_ON_FORK) == 0)
		sched_setscheduler(0, slot->priority > 0 ? SCHED_FIFO : SCHED_OTHER, &param);
	else if (held(t) == 0)
		plf_lazy_prepare(&plf_lazy_self, strength_of(t), t->ref, plf_rank(t->cpu, 0));
	plf_device_register(&plf_lazy_self);
}

static void withdraw(const struct plf_thread *t)
{
	if (plf_lazy_withdraw(&plf_lazy_self, strength_of(t)) == PLF_LAZY_RAISED)
		plf_device_lower();
}

/* ---- Waiting for a holder that suspended itself ------------------------- */

static bool is_contended(struct plf_thread *t, const plf_mutex_t *mutex, uint32_t name)
{
	uint64_t word = plf_load64(&mutex->word);

	return plf_word_ref(word) == name && (word & PLF_LAZY_UNCONTENDED) == 0 &&
	       !plf_ref_is_gone(t, name);
}

/* Acquire one gate of the section `name` of OWNER. EAGAIN: there was nothing to wait for. */
static int acquire(struct plf_thread *t, const plf_mutex_t *mutex, uint32_t name,
		   struct plf_thread *owner, struct plf_gate *gate, uint64_t until_ns)
{
	uint32_t tid = plf_load32(&owner->tid);

	plf_cas32(&gate->word, 0, tid);
	if (is_contended(t, mutex, name))
		return plf_gate_acquire(owner, gate, until_ns);
	plf_cas32(&gate->word, tid, 0);
	return EAGAIN;
}

static int pass_gates(struct plf_thread *t, const plf_mutex_t *mutex, uint32_t name,
		      uint64_t until_ns)
{
	struct plf_frame *f = plf_frame_of(t, plf_word(name, 0));
	struct plf_thread *owner = plf_owner_of(f);
	int error = acquire(t, mutex, name, owner, &f->gate, until_ns);

	if (error != 0)
		return error;
	plf_slot_of(t)->stats.gate_waits++;
	error = acquire(t, mutex, name, owner, &f->second, until_ns);
	if (error == 0)
		plf_gate_release(&f->second, t->tid);
	plf_gate_release(&f->gate, t->tid);
	return error;
}

/*
 * Is the word free, or spoiled? A strict owner may be suspended while it leaves, although the rules
 * of strict forbid that. Then it may find the mutex flagged as contended too late, and spoil the
 * word.
 */
static bool names_no_frame(uint64_t word)
{
	return plf_word_ref(word) == 0 || plf_word_ref(word) == UINT32_MAX;
}

/* Sleep until the section that holds MUTEX ends. Return 0 also if it ended before. */
static int wait_for_holder(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	uint64_t word = plf_load64(&mutex->word);
	uint32_t name = plf_word_ref(word);
	struct plf_slot *owner;
	int error;

	if (names_no_frame(word) || !plf_cas64(&mutex->word, word, word & ~PLF_LAZY_UNCONTENDED))
		return 0;
	owner = plf_slot_of(plf_owner_of(plf_frame_of(t, word)));
	plf_slot_visit(owner);
	error = pass_gates(t, mutex, name, until_ns);
	plf_slot_end_visit(owner);
	return error == EAGAIN ? 0 : error;
}

/* ---- Mutexes ----------------------------------------------------------- */

/* The word of MUTEX when free: in reach of the fast paths, unless it is not recoverable. */
static uint32_t key_of(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	if (mutex->state == PLF_MUTEX_NOT_RECOVERABLE)
		return 0;
	return plf_rank(t->cpu, plf_load32(&mutex->ceiling));
}

/* Give back the mutex of the section claimed last, and withdraw the claim. */
static void give(struct plf_thread *t, plf_mutex_t *mutex)
{
	if (plf_lazy_give(&mutex->word, key_of(t, mutex)))
		plf_gates_release(innermost(t), t->tid);
	withdraw(t);
}

/* Take MUTEX from a thread that is gone. False: the word has changed. */
static bool take_over(const struct plf_thread *t, plf_mutex_t *mutex, uint64_t word)
{
	uint64_t claim = plf_load64(&plf_lazy_self.claim[strength_of(t)]);

	if (!plf_cas64(&mutex->word, word, claim - PLF_LAZY_OUTERMOST))
		return false;
	plf_learn_of_death(mutex);
	return true;
}

/* Take MUTEX for the section claimed last. False: another thread has it. */
static bool take(struct plf_thread *t, plf_mutex_t *mutex, uint32_t key)
{
	for (;;) {
		uint64_t word = plf_load64(&mutex->word);

		if (names_no_frame(word)) {
			if (word != key)
				plf_cas64(&mutex->word, word, key);
			else if (plf_lazy_take(&plf_lazy_self, strength_of(t), &mutex->word, key))
				return true;
		} else if (!plf_ref_is_gone(t, plf_word_ref(word))) {
			return false;
		} else if (take_over(t, mutex, word)) {
			return true;
		}
	}
}

static int admit(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling)
{
	int error = plf_admit(t, mutex, (int)ceiling, held(t));

	if (error != 0)
		return error;
	return plf_bind_to_cpu(mutex, t->cpu) ? 0 : EXDEV;
}

static int enter(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	for (;;) {
		uint32_t ceiling = plf_load32(&mutex->ceiling);
		uint32_t key = plf_rank(t->cpu, ceiling);
		int error = admit(t, mutex, ceiling);

		if (error != 0)
			return error;
		plf_lazy_claim(&plf_lazy_self, strength_of(t), key);
		if (!take(t, mutex, key)) {
			withdraw(t);
			error = until_ns == PLF_NOT_AT_ALL ? EBUSY
							   : wait_for_holder(t, mutex, until_ns);
		} else if (plf_load32(&mutex->ceiling) == ceiling) {
			return 0;
		} else {
			give(t, mutex); /* the ceiling was changed meanwhile */
		}
		if (error != 0)
			return error;
	}
}

/* The fast path, for programs that do not have it inline. */
static enum plf_outcome enter_fast(const struct plf_thread *t, uint64_t *lock)
{
	return plf_outcome_of(strength_of(t) == PLF_LAZY_STRICT
				      ? plf_lazy_enter_strict(&plf_lazy_self, lock)
				      : plf_lazy_enter_robust(&plf_lazy_self, lock));
}

static enum plf_outcome leave_fast(const struct plf_thread *t, uint64_t *lock)
{
	return plf_outcome_of(strength_of(t) == PLF_LAZY_STRICT
				      ? plf_lazy_leave_strict(&plf_lazy_self, lock)
				      : plf_lazy_leave_robust(&plf_lazy_self, lock));
}

static int lock(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	enum plf_outcome outcome = enter_fast(t, &mutex->word);
	int error;

	if (outcome == PLF_DONE)
		return 0;
	if (outcome == PLF_RECHECK)
		withdraw(t);
	error = enter(t, mutex, until_ns);
	if (error != 0 || mutex->state == PLF_MUTEX_CONSISTENT)
		return error;
	if (mutex->state == PLF_MUTEX_INCONSISTENT)
		return EOWNERDEAD;
	give(t, mutex);
	return ENOTRECOVERABLE;
}

static int unlock(struct plf_thread *t, plf_mutex_t *mutex, enum plf_outcome found)
{
	if (found == PLF_SLOW)
		found = leave_fast(t, &mutex->word);
	if (found == PLF_HANDOFF)
		plf_device_lower();
	if (found != PLF_SLOW)
		return 0;
	if (!plf_is_named(innermost(t), mutex))
		return EPERM;
	if (mutex->state == PLF_MUTEX_INCONSISTENT)
		mutex->state = PLF_MUTEX_NOT_RECOVERABLE;
	give(t, mutex);
	return 0;
}

/*
 * Flag MUTEX as if a thread waited for it. Then the short paths refuse it, and unlock() gives it
 * back.
 */
static void hold_again(struct plf_thread *t, plf_mutex_t *mutex, bool is_again)
{
	(void)t;
	if (is_again)
		plf_store64(&mutex->word, plf_load64(&mutex->word) & ~PLF_LAZY_UNCONTENDED);
}

static int leave(struct plf_thread *t)
{
	plf_gates_release(innermost(t), t->tid);
	withdraw(t);
	return 0;
}

/*
 * Hold MUTEX during the change, at the caller's own priority. The next locker sets the word right.
 * A strict thread may be preempted in plf_lazy_enter_strict(), and would not notice the change. So
 * in strict the word must be 0 before: MUTEX was never locked.
 */
static int set_ceiling(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling)
{
	uint32_t open = held(t);
	struct plf_frame *f = &t->frame[open];
	uint64_t word = plf_load64(&mutex->word);

	if (!plf_is_at_home(t) || !plf_bind_to_cpu(mutex, t->cpu))
		return EXDEV;
	if (open == PLF_DEPTH_MAX)
		return EAGAIN;
	if (plf_word_ref(word) != 0 || (word != 0 && t->strength == PLF_STRENGTH_STRICT) ||
	    !plf_cas64(&mutex->word, word, plf_word(f->ref, PLF_LAZY_UNCONTENDED)))
		return EBUSY;
	plf_store32(&mutex->ceiling, ceiling);
	if (plf_lazy_give(&mutex->word, 0))
		plf_gates_release(f, t->tid);
	return 0;
}

/*
 * The section's ceiling is the band's priority. The kernel raises T to it if T would lose the CPU.
 */
static int open_global(struct plf_thread *t, bool granted, uint64_t until_ns)
{
	uint32_t priority = PLF_GLOBAL_BAND + (uint32_t)plf_slot_of(t)->priority;

	(void)granted;
	(void)until_ns;
	plf_lazy_claim(&plf_lazy_self, strength_of(t), plf_rank(t->cpu, priority));
	return 0;
}

const struct plf_keeper plf_claims = {
	.name = "module",
	.flag = PLF_BACKEND_MODULE,
	.strict_max = PLF_PRIORITY_MAX - 1, /* because no thread can be raised above 99 */
	.needs_cpu = true,
	.is_there = plf_device_is_there,
	.rest = plf_device_close,
	.part = part,
	.after_fork = after_fork,
	.join = join,
	.lock = lock,
	.unlock = unlock,
	.hold_again = hold_again,
	.open_global = open_global,
	.leave = leave,
	.set_ceiling = set_ceiling,
	.held = held,
	.innermost = innermost,
};
