/* SPDX-License-Identifier: MIT */

/*
 * Resources that several servers of a CPU share: the thread's half of protocol/lazy_global.h. A
 * section consists of a section of the server's mutex, and of a claim, which the manager reads:
 * server.h, S5 to S7.
 *
 * The claim alone keeps the other servers out, as long as sections keep to X. Exclusion must hold
 * even if they do not. So the holder's name is taken by compare-and-swap, after the claim.
 */
#include "admission.h"
#include "clock.h"
#include "futex.h"
#include "gate.h"
#include "keeper.h"
#include "server_manager.h"

#include <string.h>

void plf_shared_init(plf_shared_t *shared)
{
	memset(shared, 0, sizeof(*shared));
}

int plf_shared_destroy(plf_shared_t *shared)
{
	if (plf_load32(&shared->holder) != 0)
		return EBUSY;
	memset(shared, 0, sizeof(*shared));
	return 0;
}

/* The mutex of T's server; NULL: the server does not use the resource. */
static plf_mutex_t *mutex_of(plf_shared_t *shared, const struct plf_thread *t)
{
	for (size_t i = 0; i < PLF_SHARED_SERVERS_MAX; i++)
		if (shared->share[i].stack != 0 && shared->share[i].stack == t->cpu)
			return &shared->share[i].mutex;
	return NULL;
}

/* ---- Claims ------------------------------------------------------------ */

static void claim(struct plf_slot *slot, uint32_t before, uint32_t ceiling)
{
	if (before == 0)
		__atomic_fetch_add(&slot->supply->claimants, 1, __ATOMIC_RELAXED);
	plf_store32(&slot->claim, before > ceiling ? before : ceiling);
	plf_barrier();
}

/* In a child of fork() there is no server. */
static void withdraw(struct plf_slot *slot, uint32_t before)
{
	struct plf_supply *supply = slot->supply;

	plf_barrier();
	plf_store32(&slot->claim, before);
	if (supply == NULL)
		return;
	if (before == 0)
		__atomic_fetch_sub(&supply->claimants, 1, __ATOMIC_RELAXED);
	if (plf_load32(&supply->words.late) > before)
		plf_server_call(supply);
}

/* If the end of the budget changed meanwhile, the clock was compared with the wrong end. */
static bool suffices(const struct plf_lazy_global *words)
{
	uint64_t last_ns;

	do {
		last_ns = plf_load64(&words->last_ns);
		if (plf_lazy_global_suffices(words, plf_clock_ns))
			return true;
	} while (plf_load64(&words->last_ns) != last_ns);
	return false;
}

/* May a section begin now? S7. */
static bool may_begin(struct plf_slot *slot)
{
	struct plf_supply *supply = slot->supply;

	if (supply->budget.overruns || plf_load32(&supply->claimants) > 0 ||
	    suffices(&supply->words))
		return true;
	supply->skips++;
	slot->stats.skips++;
	return false;
}

/* ---- Sections ---------------------------------------------------------- */

/* Sleep until the server has another budget, and the CPU. */
static int await_round(struct plf_slot *slot, uint32_t seen)
{
	while (plf_load32(&slot->supply->round) == seen) {
		plf_supply_sleeps(slot);
		plf_futex_wait(&slot->supply->round, seen, NULL);
		plf_supply_wakes(slot);
	}
	plf_supply_pass(slot);
	return plf_wait_uncovered(&slot->thread, PLF_WITHOUT_END);
}

/* Take the resource. EOWNERDEAD: its last owner died. EAGAIN: its owner lives. */
static int take(struct plf_thread *t, plf_shared_t *shared, uint32_t ref)
{
	uint32_t holder = plf_load32(&shared->holder);

	if (holder != 0 && !plf_ref_is_gone(t, holder))
		return EAGAIN;
	if (!plf_cas32(&shared->holder, holder, ref))
		return EAGAIN;
	return holder == 0 ? 0 : EOWNERDEAD;
}

/* Enter, after the mutex of the server; REF is that section's frame. */
static int enter(struct plf_slot *slot, plf_shared_t *shared, uint32_t ref)
{
	for (;;) {
		uint32_t seen = plf_load32(&slot->supply->round);
		uint32_t before = slot->claim;
		int error;

		if (may_begin(slot)) {
			claim(slot, before, shared->ceiling);
			error = take(&slot->thread, shared, ref);
			if (error != EAGAIN) {
				shared->before = before;
				return error;
			}
			withdraw(slot, before);
		}
		error = await_round(slot, seen);
		if (error != 0)
			return error;
	}
}

int plf_shared_lock(plf_shared_t *shared)
{
	struct plf_thread *t = plf_self;
	plf_mutex_t *mutex;
	int error;

	if (!plf_is_attached(t))
		return EPERM;
	mutex = mutex_of(shared, t);
	if (mutex == NULL || plf_slot_of(t)->supply == NULL)
		return EXDEV;
	error = plf_mutex_lock(mutex);
	if (error == EOWNERDEAD) /* the holder's name shows a death */
		error = plf_mutex_consistent(mutex);
	if (error != 0)
		return error;
	error = enter(plf_slot_of(t), shared, plf_newest(t)->ref);
	if (error != 0 && error != EOWNERDEAD)
		plf_mutex_unlock(mutex);
	return error;
}

/*
 * Withdraw the claim first. If the manager then ends an overrun, no thread of the server runs in
 * the rest of it. After an error of the mutex, a second call finds the claim withdrawn.
 */
int plf_shared_unlock(plf_shared_t *shared)
{
	struct plf_thread *t = plf_self;
	const struct plf_frame *f;
	plf_mutex_t *mutex;

	if (!plf_is_attached(t))
		return EPERM;
	mutex = mutex_of(shared, t);
	f = plf_slot_of(t)->keeper->innermost(t);
	if (mutex == NULL || !plf_is_named(f, mutex))
		return EPERM;
	if (plf_load32(&shared->holder) == f->ref) {
		uint32_t before = shared->before;

		__atomic_store_n(&shared->holder, 0, __ATOMIC_RELEASE);
		withdraw(plf_slot_of(t), before);
	}
	return plf_mutex_unlock(mutex);
}
