// SPDX-License-Identifier: GPL-2.0

/* The cost of lock and unlock to the caller, without contention. */
#include "driver.h"

#include <linux/export.h>
#include <linux/timex.h>
#include <linux/uaccess.h>

struct cost_lock {
	struct rt_mutex rt_mutex;
	struct immpc_mutex immpc_mutex;
};

typedef void (*cost_call)(struct cost_lock *lock);

/* For the cost of a call to an exported function. */
void immpc_empty(struct cost_lock *lock);

noinline void immpc_empty(struct cost_lock *lock)
{
	barrier();
}
EXPORT_SYMBOL_GPL(immpc_empty);

static __always_inline void nothing(struct cost_lock *lock)
{
}

static __always_inline void rt_lock(struct cost_lock *lock)
{
	rt_mutex_lock(&lock->rt_mutex);
}

static __always_inline void rt_unlock(struct cost_lock *lock)
{
	rt_mutex_unlock(&lock->rt_mutex);
}

static __always_inline void immpc_lock(struct cost_lock *lock)
{
	immpc_mutex_lock(&lock->immpc_mutex);
}

static __always_inline void immpc_unlock(struct cost_lock *lock)
{
	immpc_mutex_unlock(&lock->immpc_mutex);
}

/* Depth and calls are constants, so the compiler leaves only the calls. */
static __always_inline u64 measure_rounds(struct cost_lock *locks, u64 rounds, unsigned int depth,
					  cost_call lock, cost_call unlock)
{
	u64 start = get_cycles();

	/* Otherwise the empty loop would be unrolled, and would differ from the other loops. */
#pragma GCC unroll 1
	for (; rounds > 0; rounds--) {
		lock(&locks[0]);
		if (depth > 1)
			lock(&locks[1]);
		if (depth > 2) {
			lock(&locks[2]);
			unlock(&locks[2]);
		}
		if (depth > 1)
			unlock(&locks[1]);
		unlock(&locks[0]);
		barrier();
	}
	return get_cycles() - start;
}

static __always_inline u64 measure_depth(struct cost_lock *locks, const struct immpc_cost *asked,
					 cost_call lock, cost_call unlock)
{
	switch (asked->depth) {
	case 1:
		return measure_rounds(locks, asked->rounds, 1, lock, unlock);
	case 2:
		return measure_rounds(locks, asked->rounds, 2, lock, unlock);
	}
	return measure_rounds(locks, asked->rounds, 3, lock, unlock);
}

static u64 measure(struct cost_lock *locks, const struct immpc_cost *asked)
{
	switch (asked->kind) {
	case IMMPC_KIND_RT_MUTEX:
		return measure_depth(locks, asked, rt_lock, rt_unlock);
	case IMMPC_KIND_POSTPONED:
	case IMMPC_KIND_EAGER:
		return measure_depth(locks, asked, immpc_lock, immpc_unlock);
	case IMMPC_KIND_EMPTY:
		return measure_depth(locks, asked, immpc_empty, immpc_empty);
	}
	return measure_depth(locks, asked, nothing, nothing);
}

long cost_measure(struct immpc_cost __user *argument)
{
	struct cost_lock locks[IMMPC_COST_DEPTH_MAX];
	struct immpc_cost asked;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.kind > IMMPC_KIND_NOTHING || asked.depth < 1 ||
	    asked.depth > IMMPC_COST_DEPTH_MAX || asked.rounds < 1 ||
	    asked.rounds > IMMPC_COST_ROUNDS_MAX || !caller_keeps(IMMPC_COST_CEILING))
		return -EINVAL;
	for (int i = 0; i < IMMPC_COST_DEPTH_MAX; i++) {
		rt_mutex_init(&locks[i].rt_mutex);
		immpc_mutex_init(&locks[i].immpc_mutex, IMMPC_COST_CEILING + i);
		immpc_mutex_set_eager(&locks[i].immpc_mutex, asked.kind == IMMPC_KIND_EAGER);
	}
	asked.cycles = measure(locks, &asked);
	return copy_to_user(argument, &asked, sizeof(asked)) ? -EFAULT : 0;
}
