/* SPDX-License-Identifier: MIT */
#include "recursive.h"

#include "keeper.h"

static void hold_again(struct plf_thread *t, plf_mutex_t *mutex, bool is_again)
{
	struct plf_slot *slot = plf_slot_of(t);

	if (plf_is_global(mutex))
		slot->globals += is_again ? 1 : -1U;
	else if (slot->keeper->hold_again != NULL)
		slot->keeper->hold_again(t, mutex, is_again);
}

int plf_lock_again(struct plf_thread *t, plf_mutex_t *mutex)
{
	if (mutex->again == PLF_MUTEX_LOCKS_MAX - 1)
		return EAGAIN;
	if (mutex->again == 0)
		hold_again(t, mutex, true);
	mutex->again++;
	return 0;
}

int plf_unlock_again(struct plf_thread *t, plf_mutex_t *mutex)
{
	mutex->again--;
	if (mutex->again == 0)
		hold_again(t, mutex, false);
	return 0;
}
