/* SPDX-License-Identifier: MIT */
/* libplafond: all backends and strengths. */
#include "locks.h"

static int attach(int priority, int cpu, int option)
{
	return plf_attach(priority, cpu, (unsigned)option);
}

static int create(union lock *lock, int ceiling, bool is_global, int option)
{
	(void)option;
	if (!is_global)
		return plf_mutex_init(&lock->plafond, ceiling);
	plf_mutex_init_global(&lock->plafond);
	return 0;
}

static int lock_it(union lock *lock)
{
	return plf_mutex_lock(&lock->plafond);
}

static int unlock_it(union lock *lock)
{
	return plf_mutex_unlock(&lock->plafond);
}

static int sleep_until(int64_t time_ns)
{
	return plf_sleep_until((uint64_t)time_ns);
}

const struct lock_kind plafond_locks = {
	.attach = attach,
	.create = create,
	.lock = lock_it,
	.unlock = unlock_it,
	.sleep_until = sleep_until,
	.lock_call = "plf_mutex_lock",
	.unlock_call = "plf_mutex_unlock",
	.sleep_call = "plf_sleep_until",
};
