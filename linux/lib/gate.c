/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include "futex.h"

/*
 * ESRCH: the gate names a thread that is gone, though the kernel did not say so
 * (no robust list, as under an emulator). Open it; if it was its owner's, the
 * owner is dead.
 */
static void on_vanished(struct plf_frame *f, uint32_t seen)
{
	struct plf_thread *owner = plf_owner_of(f);

	if ((seen & PLF_TID_MASK) == 0)
		return;
	if ((seen & PLF_TID_MASK) == owner->tid)
		plf_store32(&owner->life.gate, PLF_OWNER_DIED);
	plf_cas32(&f->gate, seen, 0);
}

int plf_gate_acquire(struct plf_frame *f)
{
	uint32_t seen = plf_load32(&f->gate);
	int error = plf_futex_lock_pi(&f->gate);

	if (error == ESRCH)
		on_vanished(f, seen);
	return error == ESRCH || error == EINTR ? EAGAIN : error;
}

/* A full atomic operation: backend `syscall` comes here from several CPUs. */
void plf_gate_release(struct plf_frame *f, uint32_t tid)
{
	uint32_t held = tid;

	if (!__atomic_compare_exchange_n(&f->gate, &held, 0, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST) &&
	    (held & PLF_TID_MASK) == tid)
		plf_futex_unlock_pi(&f->gate);
}

/* Sleep until F's owner has left; 0 also if it did before we could. */
static int pass_gate(struct plf_thread *t, struct plf_frame *f)
{
	int error = EAGAIN;

	plf_visit(plf_owner_of(f));
	if (plf_shut_gate(t, f))
		error = plf_gate_acquire(f);
	if (error == 0) {
		plf_gate_release(f, t->tid);
		plf_slot_of(t)->stats.gate_waits++;
	}
	plf_end_visit(plf_owner_of(f));
	return error == EAGAIN ? 0 : error;
}

int plf_wait_uncovered(struct plf_thread *t)
{
	for (;;) {
		uint64_t word = plf_load64(t->top);
		struct plf_frame *newest, *blocker;
		int error;

		if (!plf_is_covered(t, word))
			return 0;
		newest = plf_frame_of(t, word);
		blocker = plf_blocker(t, word);
		if (plf_is_dead(plf_owner_of(newest))) {
			plf_unpublish(t, newest, word);
			plf_slot_retire(plf_slot_of(plf_owner_of(newest)));
		} else if (blocker != NULL && (error = pass_gate(t, blocker)) != 0) {
			return error;
		}
	}
}
