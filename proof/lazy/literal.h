/* SPDX-License-Identifier: MIT */
#ifndef PROOF_LITERAL_H
#define PROOF_LITERAL_H

/*
 * Almatary, Audsley, Burns 2015, word for word: Section III (flat) and Section V
 * (nested). A fixture of the proof: nothing ships from here. REPAIRED says which
 * of the nested form's faults are put right.
 */
#include "marks.h"

#include <stdbool.h>

enum {
	REPAIR_MAXIMUM = 1,  /* new_pri := PO.ceiling forgets a higher outer ceiling */
	REPAIR_OLD_PRI = 2,  /* PO.old_pri is written before the PO is held */
	REPAIR_TO_RAISE = 4, /* a nested acquire sets to_raise again */
};

/* In the order in which the names stand in literal.py. */
struct task {
	volatile uint32_t to_raise, start, level, base_pri, new_pri;
};

struct po {
	volatile uint32_t ceiling, old_pri;
};

static inline void set_priority(uint32_t priority)
{
	CALL(MARK_SET_PRIORITY, priority, 0);
}

/* ---- Section III ------------------------------------------------------- */

static inline void flat_acquire(struct task *t, struct po *po)
{
	t->new_pri = po->ceiling;
	t->to_raise = true;
}

static inline void flat_release(struct task *t)
{
	t->start = true;
	if (t->to_raise)
		t->to_raise = false;
	else
		set_priority(t->base_pri);
	t->start = false;
}

/* In the kernel. Returns the priority to set; 0: none. */
static inline uint32_t flat_kernel(struct task *current)
{
	if (!current->start && current->to_raise) {
		current->to_raise = false;
		return current->new_pri;
	}
	return 0;
}

/* ---- Section V --------------------------------------------------------- */

static inline uint32_t new_pri_in(const struct task *t, const struct po *po)
{
	uint32_t ceiling = po->ceiling;

	if (!(REPAIRED & REPAIR_MAXIMUM))
		return ceiling;
	return t->new_pri > ceiling ? t->new_pri : ceiling;
}

static inline void nested_acquire(struct task *t, struct po *po)
{
	uint32_t old_pri = t->new_pri;

	if (!(REPAIRED & REPAIR_OLD_PRI))
		po->old_pri = old_pri;
	t->new_pri = new_pri_in(t, po);
	t->level = t->level + 1;
	if (t->level > 1 && !t->to_raise)
		set_priority(t->new_pri);
	else if (!(REPAIRED & REPAIR_TO_RAISE) || t->level == 1)
		t->to_raise = true;
	if (REPAIRED & REPAIR_OLD_PRI)
		po->old_pri = old_pri;
}

static inline void nested_release(struct task *t, struct po *po)
{
	t->level = t->level - 1;
	t->start = true;
	t->new_pri = po->old_pri;
	if (t->to_raise) {
		if (t->level == 0)
			t->to_raise = false;
	} else {
		set_priority(t->new_pri);
	}
	t->start = false;
}

static inline uint32_t nested_kernel(struct task *current)
{
	if (!(current->start && current->level == 0) && current->to_raise) {
		current->to_raise = false;
		return current->new_pri;
	}
	return 0;
}

#endif
