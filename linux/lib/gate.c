/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include "futex.h"

/*
 * ESRCH: the gate still names a thread that is gone, because the kernel could
 * not clear it (no robust list, as under an emulator). Clear it in its stead.
 */
int plf_gate_acquire(struct plf_frame *f)
{
	uint32_t seen = plf_load32(&f->gate);
	int error = plf_futex_lock_pi(&f->gate);

	if (error == ESRCH) {
		if ((seen & FUTEX_TID_MASK) != 0)
			plf_cas32(&f->gate, seen, FUTEX_OWNER_DIED);
		return EAGAIN;
	}
	return error == EINTR ? EAGAIN : error;
}

/* A full atomic operation: backend `syscall` comes here from several CPUs. */
void plf_gate_release(struct plf_frame *f, uint32_t tid)
{
	uint32_t held = tid;

	if (!__atomic_compare_exchange_n(&f->gate, &held, 0, false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED))
		plf_futex_unlock_pi(&f->gate);
}

static bool is_on_stack(struct plf_thread *t, const struct plf_frame *f)
{
	uint64_t word = plf_load64(t->top);

	while (word != 0) {
		const struct plf_frame *g = plf_frame_of(t, word);

		if (g == f)
			return true;
		word = plf_load64(&g->prev);
	}
	return false;
}

/*
 * Sleep until F's owner has left. A published frame's gate is its owner's
 * (invariant I5), so whoever holds the gate and still sees the frame knows that
 * the owner died.
 */
static int pass_gate(struct plf_thread *t, struct plf_frame *f)
{
	int error = plf_gate_acquire(f);

	if (error != 0)
		return error == EAGAIN ? 0 : error;
	if (is_on_stack(t, f))
		plf_slot_retire(plf_slot_of(plf_owner_of(f)));
	plf_gate_release(f, t->tid);
	plf_slot_of(t)->stats.gate_waits++;
	return 0;
}

/*
 * Take the newest frame, of a dead owner, off the stack: behind its gate, so that
 * it stays a frame whose gate nobody passes. Its lock goes on naming it, which
 * tells the next locker.
 */
static int bury(struct plf_thread *t, uint64_t word)
{
	struct plf_frame *f = plf_frame_of(t, word);
	int error;

	/* Not the kernel's word for it: the TID may be somebody else's by now. */
	plf_cas32(&f->gate, plf_owner_of(f)->tid, FUTEX_OWNER_DIED);
	error = plf_gate_acquire(f);
	if (error != 0)
		return error == EAGAIN ? 0 : error;
	plf_unpublish(t, f, word);
	plf_gate_release(f, t->tid);
	return 0;
}

int plf_wait_uncovered(struct plf_thread *t)
{
	for (;;) {
		uint64_t word = plf_load64(t->top);
		struct plf_frame *blocker;
		int error = 0;

		if (!plf_is_covered(t, word))
			return 0;
		blocker = plf_blocker(t, word);
		if (plf_load32(&plf_owner_of(plf_frame_of(t, word))->dead))
			error = bury(t, word);
		else if (blocker != NULL)
			error = pass_gate(t, blocker);
		if (error != 0)
			return error;
	}
}
