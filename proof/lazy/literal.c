/* SPDX-License-Identifier: MIT */

/* The code of the actors of the literal forms. NESTED selects the nested form. */
#include <stddef.h>
#include <stdint.h>

#define inline inline __attribute__((always_inline))
#include "literal.h"
#include "marks.h"

static inline void set_priority(uint32_t priority)
{
	CALL(MARK_SET_PRIORITY, priority, 0);
}

enum { LOCKS = 3 };

struct po {
	uint32_t ceiling, old_pri;
};

/* A PO needs no lock, so the words `lock` are never written. */
static struct {
	uint64_t lock[LOCKS];
	struct guarded data[LOCKS];
	struct po po[LOCKS];
} proof_shared;

const struct piece proof_pieces[] = { PIECE(proof_shared) };

const uint64_t proof_sizes[] = {
	offsetof(struct words, new_pri),	  sizeof(proof_shared.lock),
	offsetof(__typeof__(proof_shared), data), sizeof(struct guarded),
	offsetof(__typeof__(proof_shared), po),
};

void proof_lock(uint32_t lock, uint32_t ceiling)
{
	proof_shared.po[lock].ceiling = ceiling;
}

void proof_prepare(struct words *t, uint32_t actor, uint32_t priority)
{
	(void)actor;
	t->base_pri = priority;
	t->new_pri = priority;
}

uint32_t proof_settle(struct words *t, uint32_t base, uint32_t priority)
{
	uint32_t set = NESTED ? nested_kernel(t) : flat_kernel(t);

	(void)base;
	return set != 0 ? set : priority;
}

/* ---- The scripts ------------------------------------------------------- */

typedef struct words words;

static inline void plain_enter(words *t, uint64_t lock)
{
	struct po *po = &proof_shared.po[lock];

	if (NESTED)
		nested_acquire(t, &po->old_pri, po->ceiling);
	else
		flat_acquire(t, po->ceiling);
	__asm__ volatile("" ::: "memory");
}

static inline void plain_leave(words *t, uint64_t lock)
{
	__asm__ volatile("" ::: "memory");
	if (NESTED)
		nested_release(t, &proof_shared.po[lock].old_pri);
	else
		flat_release(t);
}

#include "scripts.h"
