/* SPDX-License-Identifier: MIT */
#include "frames.h"

#include "gate.h"
#include "stats.h"

static struct plf_frame *frame(uint32_t index)
{
	return &plf_me.place->frame[index];
}

static enum plf_rseq_outcome swap(uint64_t *word, uint64_t expected, uint64_t desired)
{
	return plf_rseq_swap(plf_me.rseq, plf_me.cpu, word, expected, desired);
}

static enum plf_rseq_outcome move(uint64_t *word, uint64_t expected, const uint64_t *from)
{
	return plf_rseq_move(plf_me.rseq, plf_me.cpu, word, expected, from);
}

static uint32_t higher(uint32_t rank, uint32_t other)
{
	return rank > other ? rank : other;
}

/* Frame 0 is only ever the bottom: its `prev` is 0 for good, which the fast path relies on. */
static int free_frame(uint64_t below)
{
	for (int index = below == 0 ? 0 : 1; index < PLF_FRAMES; index++)
		if (plf_me.section[index].kept == PLF_KEPT_NOT)
			return index;
	return PLF_NO_FRAME;
}

int plf_frame_push(int ceiling)
{
	uint32_t rank = plf_rank(plf_me.cpu, (uint32_t)ceiling);

	do {
		uint64_t below = plf_load64(plf_me.place->top);
		int index = free_frame(below);
		struct plf_frame *f;

		if (index == PLF_NO_FRAME)
			return index;
		f = frame((uint32_t)index);
		plf_store64(&f->prev, below);
		if (swap(plf_me.place->top, below,
			 plf_word(f->ref, higher(rank, plf_word_rank(below)))) == PLF_COMMITTED) {
			plf_set_published(plf_me.published + 1);
			return index;
		}
	} while (plf_is_at_home());
	return PLF_MOVED;
}

/*
 * The word that names the frame; NULL: it is not on the stack. Frames above it may come
 * and go meanwhile: each was pushed while this one was there, so its `prev` leads here too. That
 * holds also where the place of such a frame is another thread's by then, for the arena gives it
 * to threads of this CPU alone while the caller is there.
 */
static uint64_t *namer(uint32_t ref)
{
	uint64_t *where = plf_me.place->top;

	for (;;) {
		uint64_t word = plf_load64(where);

		if (word == 0)
			return NULL;
		if (plf_word_ref(word) == ref)
			return where;
		where = &plf_frame_of(plf_me.place, word)->prev;
	}
}

/* The word found may be that of a frame popped since, so look again until nothing names F. */
static bool unlink_frame(const struct plf_frame *f)
{
	for (;;) {
		uint64_t *where = namer(f->ref);
		uint64_t word;

		if (where == NULL)
			return true;
		word = plf_load64(where);
		if (plf_word_ref(word) == f->ref && move(where, word, &f->prev) != PLF_COMMITTED &&
		    !plf_is_at_home())
			return false;
	}
}

/*
 * The ceiling of an own frame, anew: the highest up to it. Others' frames above have
 * higher ones in any case (I2). If it is moved meanwhile, the frame shows too much.
 */
static void recompute(const struct plf_frame *f, int ceiling)
{
	uint32_t rank = higher(plf_rank(plf_me.cpu, (uint32_t)ceiling),
			       plf_word_rank(plf_load64(&f->prev)));

	for (;;) {
		uint64_t *where = namer(f->ref);
		uint64_t word = where == NULL ? 0 : plf_load64(where);

		if (word == plf_word(f->ref, rank) || where == NULL)
			return;
		if (plf_word_ref(word) == f->ref &&
		    swap(where, word, plf_word(f->ref, rank)) != PLF_COMMITTED && !plf_is_at_home())
			return;
	}
}

static void let_go(struct plf_frame *f, uint32_t tid)
{
	plf_gate_release(&f->gate, tid);
	plf_gate_release(&f->second, tid);
}

/*
 * Own frames above the one below a frame that went, from outside in. A thread that saw the old
 * ceilings sleeps at their gates: it looks again.
 */
static void recompute_above(uint64_t below)
{
	uint32_t above[PLF_FRAMES];
	size_t count = 0;

	for (uint64_t word = plf_load64(plf_me.place->top);
	     word != 0 && plf_word_ref(word) != plf_word_ref(below) && count < PLF_FRAMES;
	     word = plf_load64(&plf_frame_of(plf_me.place, word)->prev))
		if (plf_is_own(plf_me.place, word))
			above[count++] = plf_word_ref(word) - plf_me.place->ref;
	while (count-- > 0) {
		recompute(frame(above[count]), plf_me.section[above[count]].ceiling);
		let_go(frame(above[count]), plf_me.tid);
	}
}

bool plf_frame_take_off(uint32_t index)
{
	struct plf_frame *f = frame(index);
	uint64_t below = plf_load64(&f->prev);

	if (!unlink_frame(f))
		return false;
	plf_set_published(plf_me.published - 1);
	if (plf_me.published > 0)
		recompute_above(below);
	if (plf_load32(&f->gate.word) != 0)
		let_go(f, plf_me.tid);
	return true;
}

bool plf_frame_take_back(void)
{
	if (!unlink_frame(frame(0)))
		return false;
	let_go(frame(0), plf_me.tid);
	return true;
}

bool plf_frames_take_off(void)
{
	for (uint32_t index = PLF_FRAMES; index-- > 0;)
		if (plf_me.section[index].kept == PLF_KEPT_BY_FRAME && !plf_frame_take_off(index))
			return false;
	return true;
}

/*
 * The caller may be on another CPU, and others push and pop meanwhile. Only its owner takes a frame
 * off, so the walk finds each, as namer() has it. A frame from below that is pushed anew meanwhile
 * may lead to some twice. The walk ends: it goes to frames that were pushed earlier, and for each
 * step back up another thread had to push one.
 */
uint32_t plf_frames_there(const struct plf_thread *place)
{
	uint32_t count = 0;

	for (uint64_t word = plf_load64(place->top); word != 0;
	     word = plf_load64(&plf_frame_of(place, word)->prev))
		count += plf_is_own(place, word);
	return count;
}

void plf_frames_abandon(struct plf_thread *place)
{
	for (uint32_t level = 0; level < PLF_FRAMES; level++)
		let_go(&place->frame[level], place->tid);
}

/* A dead one's frame on top: its owner will not come back for it. */
static void bury(struct plf_frame *f, uint64_t word)
{
	struct plf_slot *slot = plf_slot_of(plf_owner_of(f));

	if (move(plf_me.place->top, word, &f->prev) == PLF_COMMITTED)
		plf_slot_bury(slot);
}

bool plf_wait_for_cover(void)
{
	struct plf_thread *t = plf_me.place;

	while (plf_is_at_home()) {
		uint64_t word = plf_load64(t->top);
		struct plf_frame *blocker;

		if (!plf_is_covered(t, word))
			return true;
		blocker = plf_blocker(t, word);
		if (blocker == NULL) { /* all that cover are of the dead, so the newest is */
			bury(plf_frame_of(t, word), word);
			continue;
		}
		plf_counts.gate_waits++;
		if (plf_pass_gate(t, blocker) != 0)
			return true; /* no memory: the section is not waited for */
	}
	return false;
}
