/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_H
#define PLF_GLOBAL_H

/*
 * GetSpinlock, TryToGetSpinlock and ReleaseSpinlock as user code. They use plf_enter() and
 * plf_leave() of the protocol for the resources of a core, and the folder's plf_spin.h.
 *
 * The caller raises itself to the ceiling before it takes the lock, and comes down after the
 * release. So no task of the core preempts it while it spins or holds the lock. In the description,
 * lock = "nothing" makes the ceiling 0.
 */
#include "plf_find.h"
#include "plf_resource.h"
#include "plf_spin.h"
#include "plf_wait.h"

static const plf_static_bound plf_global_ceiling[PLF_GLOBALS] = PLF_GLOBAL_CEILINGS;

/* ---- Extended status ---------------------------------------------------------- */

/* By lock: bit mask of the locks that may be entered inside it: its successor, and so on. */
static const uint64_t plf_successors[PLF_GLOBALS] = PLF_GLOBAL_SUCCESSORS;

static inline uint64_t *plf_lock_word(unsigned lock)
{
	return plf_find_global_word(lock - PLF_RESOURCES);
}

static inline __attribute__((warn_unused_result)) StatusType plf_may_use_lock(unsigned lock)
{
	if (plf_is_masked())
		return E_OS_DISABLEDINT;
	if (lock - PLF_RESOURCES >= PLF_GLOBALS)
		return E_OS_ID;
	return plf_is_user((ResourceType)lock) ? E_OK : E_OS_ACCESS;
}

/* The next entry in the list of plf_section.h; 0: none. */
static inline uint32_t plf_entry_below(uint32_t entry)
{
	if (entry - 1 < PLF_RESOURCES)
		return plf_load32(&plf_find_page()->resources[entry - 1].below);
	if (entry - 1 - PLF_RESOURCES < PLF_GLOBALS)
		return plf_load32(&plf_find_global(entry - 1 - PLF_RESOURCES)->below);
	return 0;
}

/*
 * Whether `lock` may be entered inside the spinlock that was entered last. Resources do not count.
 */
static inline __attribute__((warn_unused_result)) StatusType plf_may_nest(unsigned lock)
{
	uint32_t entry = plf_load32(&plf_find_page()->words.checks.top);

	for (unsigned i = 0; i < PLF_RESOURCES && entry - 1 < PLF_RESOURCES; i++)
		entry = plf_entry_below(entry);
	if (entry == 0)
		return E_OK;
	if (entry - 1 - PLF_RESOURCES >= PLF_GLOBALS ||
	    !(plf_successors[entry - 1 - PLF_RESOURCES] >> (lock - PLF_RESOURCES) & 1))
		return E_OS_NESTING_DEADLOCK;
	return E_OK;
}

/*
 * E_OS_INTERFERENCE_DEADLOCK: the holder is a task of this core, so it cannot release the lock
 * while the caller spins.
 */
static inline __attribute__((warn_unused_result)) StatusType plf_may_get_lock(unsigned lock)
{
	StatusType status = plf_may_use_lock(lock);

	if (status != E_OK)
		return status;
	if (plf_spin_holder(plf_lock_word(lock)) & plf_find_global(lock - PLF_RESOURCES)->beside)
		return E_OS_INTERFERENCE_DEADLOCK;
	return plf_may_nest(lock);
}

static inline bool plf_holds_lock(unsigned lock)
{
	uint32_t entry = plf_load32(&plf_find_page()->words.checks.top);

	for (unsigned i = 0; i < PLF_RESOURCES + PLF_GLOBALS && entry != lock + 1; i++)
		entry = plf_entry_below(entry);
	return entry == lock + 1;
}

static inline __attribute__((warn_unused_result)) StatusType plf_may_release_lock(unsigned lock)
{
	StatusType status = plf_may_use_lock(lock);

	if (status != E_OK)
		return status;
	if (plf_load32(&plf_find_page()->words.checks.top) == lock + 1)
		return E_OK;
	return plf_holds_lock(lock) ? E_OS_NOFUNC : E_OS_STATE;
}

static inline void plf_note_locked(struct plf_global_words *own, unsigned lock)
{
	uint32_t *top = &plf_find_page()->words.checks.top;

	plf_store32(&own->below, plf_load32(top));
	plf_store32(top, lock + 1);
}

/* ---- The services ------------------------------------------------------------- */

static inline void plf_spin(uint64_t *word, uint64_t me)
{
	uint64_t seen;

	while (!plf_spin_turn(word, me, &seen))
		plf_await_change(word, seen);
}

static inline StatusType GetSpinlock(SpinlockIdType lock)
{
	struct plf_global_words *own;

	if (PLF_EXTENDED_STATUS) {
		StatusType status = plf_may_get_lock(lock);

		if (status != E_OK)
			return plf_refused(PLF_CALL_GET_GLOBAL, status, lock);
	}
	own = plf_find_global(lock - PLF_RESOURCES);
	plf_store_bound(&own->saved, plf_enter(plf_global_ceiling[lock - PLF_RESOURCES]));
	if (!plf_spin_join(plf_lock_word(lock), own->bit))
		plf_spin(plf_lock_word(lock), own->bit);
	if (PLF_EXTENDED_STATUS)
		plf_note_locked(own, lock);
	return E_OK;
}

static inline StatusType TryToGetSpinlock(SpinlockIdType lock, TryToGetSpinlockType *success)
{
	struct plf_global_words *own;

	if (PLF_EXTENDED_STATUS) {
		StatusType status = success ? plf_may_get_lock(lock) : E_OS_PARAM_POINTER;

		if (status != E_OK)
			return plf_refused(PLF_CALL_TRY_TO_GET_GLOBAL, status, lock);
	}
	own = plf_find_global(lock - PLF_RESOURCES);
	plf_store_bound(&own->saved, plf_enter(plf_global_ceiling[lock - PLF_RESOURCES]));
	if (plf_spin_try(plf_lock_word(lock), own->bit)) {
		if (PLF_EXTENDED_STATUS)
			plf_note_locked(own, lock);
		*success = TRYTOGETSPINLOCK_SUCCESS;
		return E_OK;
	}
	plf_release(&own->saved);
	*success = TRYTOGETSPINLOCK_NOSUCCESS;
	return E_OK;
}

static inline StatusType ReleaseSpinlock(SpinlockIdType lock)
{
	struct plf_global_words *own;

	if (PLF_EXTENDED_STATUS) {
		StatusType status = plf_may_release_lock(lock);

		if (status != E_OK)
			return plf_refused(PLF_CALL_RELEASE_GLOBAL, status, lock);
	}
	own = plf_find_global(lock - PLF_RESOURCES);
	if (PLF_EXTENDED_STATUS)
		plf_store32(&plf_find_page()->words.checks.top, plf_load32(&own->below));
	plf_spin_leave(plf_lock_word(lock), own->bit);
	plf_release(&own->saved);
	return E_OK;
}

#endif
