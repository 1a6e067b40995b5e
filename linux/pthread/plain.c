/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "plain.h"

static struct slot {
	uintptr_t mutex; /* 0: none; or BEING_WRITTEN */
	struct plf_plain made;
} slots[PLF_PLAIN_MADE];

enum { BEING_WRITTEN = 1 };

static struct slot *slot_of(const pthread_mutex_t *mutex)
{
	uintptr_t at = (uintptr_t)mutex / sizeof(void *);

	return &slots[(at ^ at / PLF_PLAIN_MADE) % PLF_PLAIN_MADE];
}

/* A slot has one writer at a time; a second writer gives up. */
static bool claim(struct slot *slot)
{
	uintptr_t before = __atomic_load_n(&slot->mutex, __ATOMIC_RELAXED);

	return before != BEING_WRITTEN &&
	       __atomic_compare_exchange_n(&slot->mutex, &before, BEING_WRITTEN, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void plf_plain_made(const pthread_mutex_t *mutex, const struct plf_plain *made)
{
	struct slot *slot = slot_of(mutex);

	if (!claim(slot))
		return;
	slot->made = *made;
	__atomic_store_n(&slot->mutex, (uintptr_t)mutex, __ATOMIC_RELEASE);
}

void plf_plain_gone(const pthread_mutex_t *mutex)
{
	uintptr_t its = (uintptr_t)mutex;

	__atomic_compare_exchange_n(&slot_of(mutex)->mutex, &its, 0, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

bool plf_plain_find(const pthread_mutex_t *mutex, struct plf_plain *made)
{
	const struct slot *slot = slot_of(mutex);

	if (__atomic_load_n(&slot->mutex, __ATOMIC_ACQUIRE) != (uintptr_t)mutex)
		return false;
	*made = slot->made;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&slot->mutex, __ATOMIC_RELAXED) == (uintptr_t)mutex;
}
