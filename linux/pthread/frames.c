/* SPDX-License-Identifier: MIT */
#include "frames.h"

#include "gate.h"
#include "kernel_calls.h"
#include "stats.h"

/* Frame 0 is used only at the bottom, so its `prev` is always 0; the fast path relies on that. */
static int free_frame(uint64_t below)
{
	for (int index = below == 0 ? 0 : 1; index < PLF_FRAMES; index++)
		if (plf_me.section[index].kept == PLF_KEPT_NOT)
			return index;
	return PLF_NO_FRAME;
}

int plf_frame_push(int ceiling)
{
	struct plf_thread *t = plf_me.place;
	enum plf_written written;
	int index;

	do {
		uint64_t below = plf_load64(t->top);
		struct plf_frame *f;

		index = free_frame(below);
		if (index == PLF_NO_FRAME)
			return index;
		f = &t->frame[index];
		f->rank = plf_rank(t->cpu, (uint32_t)ceiling);
		written = plf_publish(t, f, f->rank, below, &plf_by_sequence);
	} while (written == PLF_STALE);
	if (written == PLF_MOVED)
		return PLF_NOT_AT_HOME;
	plf_set_published(plf_me.published + 1);
	return index;
}

bool plf_frame_take_off(uint32_t index)
{
	struct plf_thread *t = plf_me.place;
	struct plf_frame *f = &t->frame[index];
	uint64_t below = plf_load64(&f->prev);
	uint32_t reckoned = 0;

	if (!plf_unlink(t, f, &plf_by_sequence))
		return false;
	plf_set_published(plf_me.published - 1);
	if (plf_me.published > 0)
		reckoned = plf_reckon_above(t, below, &plf_by_sequence);
	for (uint32_t level = 1; reckoned >> level != 0; level++)
		if ((reckoned & 1U << level) != 0)
			plf_gates_release(&t->frame[level], plf_me.tid);
	if (plf_load32(&f->gate.word) != 0)
		plf_gates_release(f, plf_me.tid);
	return true;
}

bool plf_frame_take_back(void)
{
	struct plf_frame *f = &plf_me.place->frame[0];

	if (!plf_unlink(plf_me.place, f, &plf_by_sequence))
		return false;
	plf_gates_release(f, plf_me.tid);
	return true;
}

bool plf_frames_take_off(void)
{
	for (uint32_t index = PLF_FRAMES; index-- > 0;)
		if (plf_me.section[index].kept == PLF_KEPT_BY_FRAME && !plf_frame_take_off(index))
			return false;
	return true;
}

void plf_frames_abandon(struct plf_thread *place)
{
	for (uint32_t level = 0; level < PLF_FRAMES; level++)
		plf_gates_release(&place->frame[level], place->tid);
}

/* Remove a dead owner's frame from the top, because the owner will not come back for it. */
static void bury(struct plf_frame *f, uint64_t word)
{
	struct plf_slot *slot = plf_slot_of(plf_owner_of(f));

	if (plf_unpublish(plf_me.place, f, word, &plf_by_sequence) == PLF_WRITTEN)
		plf_slot_bury(slot);
}

/*
 * Signals are blocked, because a handler that jumps must not leave behind a gate that is the
 * caller's. A handler runs when the section is over, and finds the library at rest. If it changed
 * the caller's scheduling, the caller's place may be NULL then.
 */
static int pass_gate(struct plf_frame *blocker)
{
	uint64_t signals = plf_kernel_block_signals();
	uint32_t busy = plf_me.busy++;
	int error = plf_pass_gate(plf_me.place, blocker, PLF_WITHOUT_END);

	plf_me.busy = 0;
	plf_kernel_restore_signals(signals);
	plf_me.busy = busy;
	return error;
}

bool plf_wait_for_cover(void)
{
	struct plf_thread *t;

	while ((t = plf_me.place) != NULL) {
		uint64_t word;
		struct plf_frame *blocker;

		if (!plf_is_at_home(t))
			return false;
		word = plf_load64(t->top);
		if (!plf_is_covered(t, word))
			return true;
		blocker = plf_blocker(t, word);
		if (blocker == NULL) { /* all covering frames are dead, also the newest */
			bury(plf_frame_of(t, word), word);
			continue;
		}
		plf_counts.gate_waits++;
		if (pass_gate(blocker) != 0)
			return true; /* no memory: the section is not waited for */
	}
	return false;
}
