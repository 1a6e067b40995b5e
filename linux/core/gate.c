/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include "futex.h"

/*
 * ESRCH: the gate names a thread that is gone, and the kernel did not mark it, because there is no
 * robust list (as under an emulator). Open the gate. If it names its owner, the owner is dead.
 */
static void on_vanished(struct plf_thread *owner, struct plf_gate *gate, uint32_t seen)
{
	if ((seen & PLF_TID_MASK) == 0)
		return;
	if ((seen & PLF_TID_MASK) == owner->tid)
		plf_store32(&owner->life.word, PLF_OWNER_DIED);
	plf_cas32(&gate->word, seen, 0);
}

int plf_gate_acquire(struct plf_thread *owner, struct plf_gate *gate, uint64_t until_ns)
{
	uint32_t seen = plf_load32(&gate->word);
	int error = plf_futex_lock_pi(&gate->word, until_ns);

	if (error == ESRCH)
		on_vanished(owner, gate, seen);
	return error == ESRCH || error == EINTR ? EAGAIN : error;
}

/* A full atomic operation, because keeper `eager` comes here from several CPUs. */
void plf_gate_release(struct plf_gate *gate, uint32_t tid)
{
	uint32_t held = tid;

	if (!__atomic_compare_exchange_n(&gate->word, &held, 0, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST) &&
	    (held & PLF_TID_MASK) == tid)
		plf_futex_unlock_pi(&gate->word);
}

void plf_gates_release(struct plf_frame *f, uint32_t tid)
{
	plf_gate_release(&f->gate, tid);
	plf_gate_release(&f->second, tid);
}

/* Acquire one gate of F, which the caller then releases. EAGAIN: there was nothing to wait for. */
static int acquire(struct plf_thread *t, struct plf_frame *f, struct plf_gate *gate,
		   uint64_t until_ns)
{
	return plf_shut_gate(t, f, gate) ? plf_gate_acquire(plf_owner_of(f), gate, until_ns)
					 : EAGAIN;
}

/*
 * A wait that ends in an error leaves a gate shut in the name of F's owner. The owner looks at the
 * first gate when it leaves, and opens it. It looks no further if the first gate is open. So the
 * second gate is opened here. No other thread sleeps at the second gate (I6 of ceiling_stack.h).
 */
int plf_pass_gate(struct plf_thread *t, struct plf_frame *f, uint64_t until_ns)
{
	struct plf_slot *owner = plf_slot_of(plf_owner_of(f));
	int error;

	plf_slot_visit(owner);
	error = acquire(t, f, &f->gate, until_ns);
	if (error == 0) {
		plf_slot_of(t)->stats.gate_waits++;
		error = acquire(t, f, &f->second, until_ns);
		if (error == 0)
			plf_gate_release(&f->second, t->tid);
		else if (error != EAGAIN)
			plf_store32(&f->second.word, 0);
		plf_gate_release(&f->gate, t->tid);
	}
	plf_slot_end_visit(owner);
	return error == EAGAIN ? 0 : error;
}

int plf_wait_uncovered(struct plf_thread *t, uint64_t until_ns)
{
	for (;;) {
		uint64_t word = plf_load64(t->top);
		struct plf_frame *newest, *blocker;
		int error;

		if (!plf_is_covered(t, word))
			return 0;
		newest = plf_frame_of(t, word);
		blocker = plf_blocker(t, word); /* NULL only if the newest frame's owner is dead */
		if (plf_is_dead(plf_owner_of(newest))) {
			plf_unpublish(t, newest, word, &plf_by_cas);
			plf_slot_retire(plf_slot_of(plf_owner_of(newest)));
		} else if ((error = plf_pass_gate(t, blocker, until_ns)) != 0) {
			return error;
		}
	}
}
