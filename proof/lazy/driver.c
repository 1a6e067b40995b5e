/* SPDX-License-Identifier: MIT */

/*
 * The code of the sweep's actors: lazy_ceiling.h, used as libplafond's backend `module` uses it
 * (linux/core/claims.c), except that a waiter sleeps on the lock's word instead of a gate. The
 * kernel half is used as in plafond.ko (linux/module/task.c). The model supplies the rest of the
 * kernel.
 */
#include <stddef.h>

/* Inlined always, because a call of the protocol would be a compiler barrier by itself. */
#define inline inline __attribute__((always_inline))
#include "lazy_ceiling.h"
#include "marks.h"

enum { LOCKS = 3, KEY = 1000, OTHER_CPU = 4096, NAMES = 32 };

static struct {
	uint64_t lock[LOCKS];
	struct guarded data[LOCKS];
} proof_shared;

const struct piece proof_pieces[] = { PIECE(proof_shared) };

static uint32_t key_of[LOCKS];

const uint64_t proof_sizes[] = {
	offsetof(struct plf_lazy, outer),
	sizeof(proof_shared.lock),
	offsetof(__typeof__(proof_shared), data),
	sizeof(struct guarded),
};

/* ---- Set-up, by the model ---------------------------------------------- */

void proof_lock(uint32_t lock, uint32_t ceiling)
{
	key_of[lock] = KEY + ceiling;
	proof_shared.lock[lock] = key_of[lock];
}

void proof_prepare(struct plf_lazy *t, uint32_t actor, uint32_t priority)
{
	/* Start with the words of a thread that died inside. */
	for (uint32_t i = 0; i < PLF_LAZY_STRENGTHS; i++)
		t->claim[i] = PLF_LAZY_INSIDE + PLF_LAZY_SPAN / 2;
	t->raised = PLF_LAZY_SPAN;
	plf_lazy_prepare(t, STRENGTH, NAMES * (actor + 1), KEY + priority);
}

/* ---- The kernel's half ------------------------------------------------- */

static uint32_t asked_for(const struct plf_lazy *t, uint32_t base, uint32_t limit)
{
	uint32_t wanted = plf_lazy_decide(t);
	uint32_t ceiling = base + wanted - 1;

	if (wanted == 0)
		return base;
	return ceiling < limit ? ceiling : limit;
}

static uint32_t given(struct plf_lazy *t, uint32_t base, uint32_t priority)
{
	plf_lazy_report(t, priority > base ? priority - base + 1 : 0);
	return priority;
}

/* Work at the entry of the scheduler, which only raises. */
uint32_t proof_settle(struct plf_lazy *t, uint32_t base, uint32_t priority, uint32_t limit)
{
	uint32_t now = asked_for(t, base, limit);

	return now > priority ? given(t, base, now) : priority;
}

uint32_t proof_lower(struct plf_lazy *t, uint32_t base, uint32_t priority, uint32_t limit)
{
	uint32_t now = asked_for(t, base, limit);

	return now != priority ? given(t, base, now) : priority;
}

/* ---- The library's half ------------------------------------------------ */

static void lower_if(enum plf_lazy_outcome outcome)
{
	if (outcome == PLF_LAZY_RAISED)
		CALL(MARK_LOWER, 0, 0);
}

/* Another actor that sleeps in its section has the lock. Waits until the lock's word changes. */
static void wait_for(uint64_t *lock, uint64_t which, uint32_t key)
{
	uint64_t held = plf_load64(lock);

	if (held == key)
		return;
	if (!plf_cas64(lock, held, held & ~PLF_LAZY_UNCONTENDED))
		return;
	CALL(MARK_WAIT, which, held & ~PLF_LAZY_UNCONTENDED);
}

static __attribute__((noinline)) bool enter_slowly(struct plf_lazy *t, uint64_t which,
						   enum plf_lazy_outcome outcome)
{
	uint64_t *lock = &proof_shared.lock[which];
	uint32_t key = key_of[which];

	if (outcome == PLF_LAZY_TAKEN)
		lower_if(plf_lazy_withdraw(t, STRENGTH));
	if (plf_lazy_wanted(key - (uint32_t)t->idle) == 0)
		return false;
	REPORT(MARK_DETOUR, which);
	for (;;) {
		plf_lazy_claim(t, STRENGTH, key);
		if (plf_lazy_take(t, STRENGTH, lock, key))
			return true;
		lower_if(plf_lazy_withdraw(t, STRENGTH));
		wait_for(lock, which, key);
	}
}

/* Tries the paths of both strengths, as a program does. The thread's words refuse the other
 * strength. */
static inline bool enter(struct plf_lazy *t, uint64_t which)
{
	uint64_t *lock = &proof_shared.lock[which];
	enum plf_lazy_outcome outcome;

	outcome = plf_lazy_enter_strict(t, lock);
	if (outcome == PLF_LAZY_SLOW)
		outcome = plf_lazy_enter_robust(t, lock);
	if (outcome != PLF_LAZY_DONE && !enter_slowly(t, which, outcome)) {
		REPORT(MARK_REFUSED, which);
		return false;
	}
	return true;
}

static __attribute__((noinline)) void leave_slowly(struct plf_lazy *t, uint64_t which,
						   enum plf_lazy_outcome outcome)
{
	if (outcome == PLF_LAZY_SLOW) {
		REPORT(MARK_DETOUR, which);
		if (plf_lazy_give(&proof_shared.lock[which], key_of[which]))
			CALL(MARK_WAKE, which, 0);
		outcome = plf_lazy_withdraw(t, STRENGTH);
	}
	lower_if(outcome);
}

static inline void leave(struct plf_lazy *t, uint64_t which)
{
	uint64_t *lock = &proof_shared.lock[which];
	enum plf_lazy_outcome outcome;

	outcome = plf_lazy_leave_strict(t, lock);
	if (outcome == PLF_LAZY_SLOW)
		outcome = plf_lazy_leave_robust(t, lock);
	if (outcome != PLF_LAZY_DONE)
		leave_slowly(t, which, outcome);
}

/* ---- The scripts ------------------------------------------------------- */

typedef struct plf_lazy words;

static inline void plain_enter(words *t, uint64_t lock)
{
	if (!enter(t, lock))
		end();
}

static inline void plain_leave(words *t, uint64_t lock)
{
	leave(t, lock);
}

#include "scripts.h"

/* ---- The smallest sections: no mark inside, no slow path that returns --- */

enum { ROUNDS = 3 };

static inline enum plf_lazy_outcome enter_fast(struct plf_lazy *t, uint64_t *lock)
{
	return STRENGTH == PLF_LAZY_STRICT ? plf_lazy_enter_strict(t, lock)
					   : plf_lazy_enter_robust(t, lock);
}

static inline enum plf_lazy_outcome leave_fast(struct plf_lazy *t, uint64_t *lock)
{
	return STRENGTH == PLF_LAZY_STRICT ? plf_lazy_leave_strict(t, lock)
					   : plf_lazy_leave_robust(t, lock);
}

/* The rest of tight()'s rounds, after a round in which it was raised. */
static __attribute__((noinline)) _Noreturn void tight_on(struct plf_lazy *t, int round)
{
	CALL(MARK_LOWER, 0, 0);
	for (; round < ROUNDS; round++) {
		if (!enter(t, 0))
			break;
		proof_shared.data[0].count++;
		leave(t, 0);
	}
	for (int i = 0; i < ROUNDS; i++)
		REPORT(MARK_COUNTED, 0);
	end();
}

/*
 * Gives the compiler the best chance to keep a value from before the lock in a register, or to
 * delay a store from inside. Only the protocol's code prevents that here.
 */
_Noreturn void tight(struct plf_lazy *t)
{
	uint16_t *count = &proof_shared.data[0].count;

	REPORT(MARK_LOOK, *count);
	for (int round = 0; round < ROUNDS; round++) {
		if (enter_fast(t, &proof_shared.lock[0]) != PLF_LAZY_DONE)
			REPORT(MARK_DETOUR, 0);
		(*count)++;
		if (leave_fast(t, &proof_shared.lock[0]) != PLF_LAZY_DONE)
			tight_on(t, round + 1);
	}
	for (int i = 0; i < ROUNDS; i++)
		REPORT(MARK_COUNTED, 0);
	end();
}

/* Sleeps in an inner section. */
_Noreturn void deep_sleeper(struct plf_lazy *t, uint64_t me)
{
	open(t, 0);
	open(t, 1);
	body(me, 1);
	REPORT(MARK_SUSPEND, 0);
	body(me, 1);
	close(t, 1);
	body(me, 0);
	close(t, 0);
	end();
}

/* A thread whose key belongs to another CPU, so it may enter no lock here. */
_Noreturn void stranger(struct plf_lazy *t, uint64_t me, uint64_t a)
{
	(void)me;
	t->idle += OTHER_CPU;
	plf_store64(&t->claim[STRENGTH], t->idle);
	enter(t, a);
	t->idle -= OTHER_CPU;
	plf_store64(&t->claim[STRENGTH], t->idle);
	end();
}
