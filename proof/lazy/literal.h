/* SPDX-License-Identifier: MIT */
#ifndef PROOF_LITERAL_H
#define PROOF_LITERAL_H

/*
 * Almatary, Audsley, Burns 2015, word for word: Section III (flat) and Section V (nested). Two
 * proofs share this text: proof/lazy stops at each compiled instruction, proof/design at each
 * access to a variable. This is a fixture: nothing ships from here. REPAIRED selects the faults of
 * the nested form that are repaired. WITHOUT_START leaves out the flag `start`. The includer
 * defines set_priority(), the paper's K.Set_Priority.
 */
#include "word.h"

enum {
	REPAIR_MAXIMUM = 1,  /* new_pri := PO.ceiling forgets a higher outer ceiling */
	REPAIR_OLD_PRI = 2,  /* PO.old_pri is written before the PO is held */
	REPAIR_TO_RAISE = 4, /* a nested acquire sets to_raise again */
	REPAIR_READ = 8,     /* PO.old_pri is read after start, when the PO is not held any more */
};

/* A task's words, in the order of the names in literal.py. */
struct words {
	uint32_t to_raise, start, level, base_pri, new_pri;
};

static inline void set_priority(uint32_t priority);

static inline void set_start(struct words *t, uint32_t value)
{
	if (!WITHOUT_START)
		plf_store32(&t->start, value);
}

/* ---- Section III ------------------------------------------------------- */

static inline void flat_acquire(struct words *t, uint32_t ceiling)
{
	plf_store32(&t->new_pri, ceiling);
	plf_store32(&t->to_raise, true);
}

static inline void flat_release(struct words *t)
{
	set_start(t, true);
	if (plf_load32(&t->to_raise))
		plf_store32(&t->to_raise, false);
	else
		set_priority(plf_load32(&t->base_pri));
	set_start(t, false);
}

/* The kernel's half. Returns the priority to set, or 0 for none. */
static inline uint32_t flat_kernel(struct words *current)
{
	if (!current->start && current->to_raise) {
		current->to_raise = false;
		return current->new_pri;
	}
	return 0;
}

/* ---- Section V --------------------------------------------------------- */

static inline void nested_acquire(struct words *t, uint32_t *old_pri, uint32_t ceiling)
{
	uint32_t before = plf_load32(&t->new_pri);

	if (!(REPAIRED & REPAIR_OLD_PRI))
		plf_store32(old_pri, before);
	if (REPAIRED & REPAIR_MAXIMUM && before > ceiling)
		ceiling = before;
	plf_store32(&t->new_pri, ceiling);
	plf_store32(&t->level, plf_load32(&t->level) + 1);
	if (plf_load32(&t->level) > 1 && !plf_load32(&t->to_raise))
		set_priority(plf_load32(&t->new_pri));
	else if (!(REPAIRED & REPAIR_TO_RAISE) || plf_load32(&t->level) == 1)
		plf_store32(&t->to_raise, true);
	if (REPAIRED & REPAIR_OLD_PRI)
		plf_store32(old_pri, before);
}

static inline void nested_release(struct words *t, const uint32_t *old_pri)
{
	uint32_t before = REPAIRED & REPAIR_READ ? plf_load32(old_pri) : 0;

	plf_store32(&t->level, plf_load32(&t->level) - 1);
	set_start(t, true);
	if (!(REPAIRED & REPAIR_READ))
		before = plf_load32(old_pri);
	plf_store32(&t->new_pri, before);
	if (plf_load32(&t->to_raise)) {
		if (plf_load32(&t->level) == 0)
			plf_store32(&t->to_raise, false);
	} else {
		set_priority(plf_load32(&t->new_pri));
	}
	set_start(t, false);
}

static inline uint32_t nested_kernel(struct words *current)
{
	if (!(current->start && current->level == 0) && current->to_raise) {
		current->to_raise = false;
		return current->new_pri;
	}
	return 0;
}

#endif
