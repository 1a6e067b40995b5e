/* SPDX-License-Identifier: MIT */
#include "admission.h"

int plf_admit(struct plf_thread *t, const plf_mutex_t *mutex, int ceiling, uint32_t held)
{
	if (!plf_is_valid_ceiling(ceiling) || ceiling < plf_slot_of(t)->priority)
		return EINVAL;
	if (!plf_is_at_home(t))
		return EXDEV;
	if (plf_holds(t, mutex) || plf_slot_of(t)->globals > 0)
		return EDEADLK;
	return held == PLF_DEPTH_MAX ? EAGAIN : 0;
}

static bool is_bound_to(const plf_mutex_t *mutex, uint32_t cpu)
{
	return plf_load32(&mutex->bound) == cpu + 1;
}

bool plf_bind_to_cpu(plf_mutex_t *mutex, uint32_t cpu)
{
	uint32_t none = 0;

	if (is_bound_to(mutex, cpu))
		return true;
	__atomic_compare_exchange_n(&mutex->bound, &none, cpu + 1, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	return is_bound_to(mutex, cpu);
}
