/* SPDX-License-Identifier: MIT */
#include "place.h"

#include "frames.h"
#include "robust_list.h"

static void release(struct plf_thread *place)
{
	plf_robust_list_leave(place);
	plf_registry_lock();
	plf_slot_release(plf_slot_of(place));
	plf_registry_unlock();
}

void plf_give_up_place(void)
{
	struct plf_thread *place = plf_me.place;

	plf_look_like_stranger(&plf_me);
	plf_me.place = NULL;
	if (place != NULL)
		release(place);
}

/*
 * A thread that sleeps at a gate of the place looks again and finds the frames void. The slot stays
 * in use while its frames are on the other CPU's stack, until a thread there removes them.
 */
void plf_leave_place_behind(void)
{
	struct plf_thread *place = plf_me.place;

	plf_look_like_stranger(&plf_me);
	plf_me.place = NULL;
	plf_me.settled = false;
	plf_robust_list_leave(place);
	plf_slot_leave_behind(plf_slot_of(place), plf_frames_there(place));
	plf_store32(&place->life.word, PLF_OWNER_DIED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	plf_frames_abandon(place);
	plf_set_published(0);
}

bool plf_take_place(int cpu)
{
	struct plf_slot *slot;

	if (plf_slot_claim(NULL, cpu, plf_me.priority, PLF_STRENGTH_ROBUST, plf_me.tid, &slot) != 0)
		return false;
	plf_slot_use_stack(slot);
	slot->thread.cpu_now = &plf_me.rseq->cpu_id;
	plf_robust_list_join(&slot->thread);
	plf_me.place = &slot->thread;
	return true;
}
