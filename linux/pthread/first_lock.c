/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "first_lock.h"

#include "ceilings.h"
#include "convert.h"
#include "kernel_calls.h"
#include "libc.h"
#include "member.h"
#include "registry.h"

/* It inherits, because a real-time thread may wait here for an ordinary thread. */
static pthread_mutex_t deciding = { .__data.__kind = PLF_KIND_INHERIT };

void plf_first_locks_after_fork(void)
{
	deciding = (pthread_mutex_t) { .__data.__kind = PLF_KIND_INHERIT };
}

/* The choice for the mutex as a variable, else for the place of this lock. */
static int choice_of(const pthread_mutex_t *mutex, const void *call_site)
{
	int choice = plf_ceiling_for(mutex, 0, PLF_ORDER_NONE);

	return choice != 0 ? choice : plf_ceiling_for(call_site, 0, PLF_ORDER_NONE);
}

/* A held mutex was locked before the drop-in began, so it stays as it is. */
static void decide(pthread_mutex_t *mutex, const void *call_site)
{
	int choice = choice_of(mutex, call_site);

	if (choice != 0 && mutex->__data.__lock == 0 && mutex->__data.__nusers == 0)
		plf_convert(mutex, choice);
	else
		mutex->__data.__kind |= PLF_KIND_DECIDED;
}

/* Signals are blocked, because a handler may lock a mutex. */
void plf_first_lock(pthread_mutex_t *mutex, const void *call_site)
{
	uint64_t before;

	if (!plf_is_undecided(mutex) || plf_registry_is(mutex))
		return;
	before = plf_kernel_block_signals();
	plf_me.busy++;
	__pthread_mutex_lock(&deciding);
	if (plf_is_undecided(mutex))
		decide(mutex, call_site);
	__pthread_mutex_unlock(&deciding);
	plf_me.busy--;
	plf_kernel_restore_signals(before);
}
