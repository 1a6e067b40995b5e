/* SPDX-License-Identifier: MIT */

/*
 * The code of the sweep's actors: postponed_ceiling.h, used as in plafond.ko
 * (linux/module/immpc_mutex.h, immpc_mutex.c and task.c). The eager variant, and the allocation of
 * the kernel's records, are left out. The model supplies the rest of the kernel.
 */
#include <stddef.h>
#include <stdint.h>

#define inline inline __attribute__((always_inline))
#include "marks.h"
#include "postponed_ceiling.h"

enum { LOCKS = 3, ACTORS = 3, WAITERS = 1 };

/* A task of the kernel, in separate memory. */
struct task {
	uint64_t sections; /* the newest settled mutex, as a number from 1; 0: none */
	uint32_t given;	   /* priority, if we raised it; else 0 */
	uint32_t awaited;  /* ceiling of the mutex for which it is in line */
	uint32_t base;
	uint32_t actor;
};

/* The first fields are words for which an actor can wait. All fields before `data` are 0 in the
 * end. */
static struct {
	uint64_t owner[LOCKS]; /* address of the task, and WAITERS */
	uint64_t is_granted[ACTORS];
	uint64_t pending;
	uint64_t line[LOCKS][ACTORS]; /* by priority: {priority, actor from 1} */
	struct guarded data[LOCKS];
	struct plf_section section[LOCKS];
	uint64_t raised[LOCKS]; /* the next mutex in its owner's `sections` */
} proof_shared;

const struct piece proof_pieces[] = { PIECE(proof_shared) };

const uint64_t proof_sizes[] = {
	sizeof(struct task),
	offsetof(__typeof__(proof_shared), data),
	offsetof(__typeof__(proof_shared), data),
	sizeof(struct guarded),
};

void proof_lock(uint32_t lock, uint32_t ceiling)
{
	proof_shared.section[lock].ceiling = ceiling;
}

void proof_prepare(struct task *t, uint32_t actor, uint32_t priority)
{
	t->actor = actor;
	t->base = priority;
}

static inline void preempt_disable(void)
{
	CALL(MARK_PREEMPT_OFF, 0, 0);
}

static inline void preempt_enable(void)
{
	CALL(MARK_PREEMPT_ON, 0, 0);
}

/* ---- Ceilings of a task (task.c) --------------------------------------- */

static uint32_t ceiling_of(const struct task *t)
{
	uint32_t ceiling = t->awaited;

	for (uint64_t i = t->sections; i != 0; i = proof_shared.raised[i - 1])
		if (proof_shared.section[i - 1].ceiling > ceiling)
			ceiling = proof_shared.section[i - 1].ceiling;
	return ceiling;
}

/* Returns the priority that the task should have. */
static uint32_t settled(struct task *t, bool may_lower)
{
	uint32_t ceiling = ceiling_of(t);

	if (ceiling <= t->base)
		ceiling = 0;
	if (may_lower || ceiling > t->given)
		t->given = ceiling;
	return t->given != 0 ? t->given : t->base;
}

static void adjust(struct task *t)
{
	uint32_t before = t->given != 0 ? t->given : t->base;
	uint32_t now = settled(t, true);

	if (now != before)
		CALL(MARK_SET_PRIORITY, now, 0);
}

/* ---- The kernel's half ------------------------------------------------- */

static void note_settled(struct task *t, const struct plf_section *s)
{
	uint64_t lock = (uint64_t)(s - proof_shared.section);

	proof_shared.raised[lock] = t->sections;
	t->sections = lock + 1;
}

static void settle_pending(struct task *t)
{
	struct plf_section *s = plf_section_at(plf_load64(&proof_shared.pending));

	plf_store64(&proof_shared.pending, 0);
	for (; s != NULL; s = plf_section_at(s->older))
		note_settled(t, s);
}

/* Work at the entry of the scheduler. */
uint32_t proof_settle(struct task *t, uint32_t base, uint32_t priority)
{
	(void)base;
	(void)priority;
	settle_pending(t);
	return settled(t, false);
}

/* ---- In line ----------------------------------------------------------- */

static void stand_in_line(struct task *t, uint64_t lock)
{
	uint64_t *line = proof_shared.line[lock];
	uint64_t me = (uint64_t)t->base << 32 | (t->actor + 1);
	int place = 0;

	while (line[place] >> 32 >= me >> 32 && line[place] != 0)
		place++;
	for (int i = ACTORS - 1; i > place; i--)
		line[i] = line[i - 1];
	line[place] = me;
}

static bool take_or_stand(struct task *t, uint64_t lock)
{
	if (proof_shared.owner[lock] == 0) {
		proof_shared.owner[lock] = (uintptr_t)t;
		return true;
	}
	proof_shared.owner[lock] |= WAITERS;
	stand_in_line(t, lock);
	return false;
}

/* The tasks lie at the actors' words, which the model places at equal steps. */
static uint64_t task_of(const struct task *t, uint64_t actor)
{
	const uint64_t step = 0x100000;

	return (uintptr_t)t + (actor - t->actor) * step;
}

/* Hands the mutex to the first in line. */
static __attribute__((noinline)) void wake(const struct task *t, uint64_t lock)
{
	uint64_t *line = proof_shared.line[lock];
	uint64_t next = (uint32_t)line[0] - 1;

	for (int i = 0; i < ACTORS - 1; i++)
		line[i] = line[i + 1];
	line[ACTORS - 1] = 0;
	plf_store64(&proof_shared.owner[lock], task_of(t, next) | (line[0] != 0 ? WAITERS : 0));
	plf_store64(&proof_shared.is_granted[next], 1);
	CALL(MARK_WAKE, LOCKS + next, 0);
}

/* ---- The owner's half, slow paths -------------------------------------- */

static __attribute__((noinline)) void lock_slow(struct task *t, uint64_t lock)
{
	bool is_taken;

	preempt_disable();
	settle_pending(t);
	t->awaited = proof_shared.section[lock].ceiling;
	adjust(t);
	preempt_enable();

	preempt_disable(); /* under wait_lock */
	is_taken = take_or_stand(t, lock);
	preempt_enable();
	if (!is_taken)
		while (plf_load64(&proof_shared.is_granted[t->actor]) == 0)
			CALL(MARK_WAIT, LOCKS + t->actor, 0);
	plf_store64(&proof_shared.is_granted[t->actor], 0);

	preempt_disable();
	t->awaited = 0;
	note_settled(t, &proof_shared.section[lock]);
	adjust(t);
	preempt_enable();
}

/* Removes a pending section that is not the newest. Returns false if it is not pending. */
static bool unlink_pending(const struct plf_section *which)
{
	struct plf_section *s = plf_section_at(plf_load64(&proof_shared.pending));

	for (; s != NULL; s = plf_section_at(s->older))
		if (plf_is_newest(which, s->older)) {
			s->older = plf_unpostpone(which);
			return true;
		}
	return false;
}

static void unlink_settled(struct task *t, uint64_t lock)
{
	uint64_t *link = &t->sections;

	while (*link != lock + 1)
		link = &proof_shared.raised[*link - 1];
	*link = proof_shared.raised[lock];
}

static void free_mutex(struct task *t, uint64_t lock)
{
	uint64_t left = plf_load64(&proof_shared.owner[lock]) - (uintptr_t)t;

	plf_store64(&proof_shared.owner[lock], left);
	if (left != 0)
		wake(t, lock);
}

static __attribute__((noinline)) void unlock_slow(struct task *t, uint64_t lock)
{
	if (!unlink_pending(&proof_shared.section[lock]))
		unlink_settled(t, lock);
	free_mutex(t, lock);
	adjust(t);
}

/* ---- The owner's half, inline ------------------------------------------ */

static inline void mutex_lock(struct task *t, uint64_t lock)
{
	preempt_disable();
	if (!plf_cas64(&proof_shared.owner[lock], 0, (uintptr_t)t)) {
		preempt_enable();
		lock_slow(t, lock);
		return;
	}
	plf_store64(&proof_shared.pending,
		    plf_postpone(&proof_shared.section[lock], plf_load64(&proof_shared.pending)));
	preempt_enable();
}

static inline void mutex_unlock(struct task *t, uint64_t lock)
{
	preempt_disable();
	if (!plf_is_newest(&proof_shared.section[lock], plf_load64(&proof_shared.pending))) {
		unlock_slow(t, lock);
		preempt_enable();
		return;
	}
	plf_store64(&proof_shared.pending, plf_unpostpone(&proof_shared.section[lock]));
	free_mutex(t, lock);
	preempt_enable();
}

/* ---- The scripts ------------------------------------------------------- */

typedef struct task words;

static inline void plain_enter(words *t, uint64_t lock)
{
	mutex_lock(t, lock);
}

static inline void plain_leave(words *t, uint64_t lock)
{
	mutex_unlock(t, lock);
}

#include "scripts.h"

_Noreturn void first_in_first_out(struct task *t, uint64_t me)
{
	open_three(t, me);
	close_three(t, me, 0, 1, 2);
}

_Noreturn void middle_first(struct task *t, uint64_t me)
{
	open_three(t, me);
	close_three(t, me, 1, 2, 0);
}

/* Sleeps in an inner section, which ends after the outer section. */
_Noreturn void deep_sleeper(struct task *t, uint64_t me)
{
	open(t, 0);
	open(t, 1);
	body(me, 1);
	REPORT(MARK_SUSPEND, 0);
	body(me, 0);
	close(t, 0);
	body(me, 1);
	close(t, 1);
	end();
}
