/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The state of a condition variable of ours: its waiters.
 *
 * No races with destruction: POSIX lets a condition variable be destroyed, and its memory be used
 * again, as soon as all threads blocked on it have been woken. A waiter touches it until it has
 * left, and the destroyer waits for that. A signaller changes the sequence before it wakes a
 * thread. So no thread that it woke can have destroyed anything before the signaller's last access.
 * The FUTEX_WAKE after that, like that of the last waiter to leave, only names an address. If
 * another futex lives there by then, its sleepers may be woken for no reason. Every user of a futex
 * must bear that, because the C library does the same.
 */
#include "cond_state.h"

#include "cond_libc.h"
#include "cond_sleep.h"
#include "wait.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <time.h>

bool plf_cond_may_be_ours;

/*
 * The number of this process among its forebears. A condition variable that was last waited on in
 * another generation has no waiters here, despite their number, because fork() did not copy them.
 */
static uint32_t generation;

void plf_conds_after_fork(void)
{
	generation = (generation + PLF_COND_GENERATION) & PLF_COND_GENERATIONS;
}

/* Waiters of a shared condition variable live in any process, so they always count. */
static uint32_t generation_of(uint32_t state)
{
	return (state & PLF_COND_SHARED) != 0 ? 0 : generation;
}

/* The state of a condition variable of ours, without its waiters of another generation. */
static uint32_t present(uint32_t state)
{
	uint32_t now = generation_of(state);

	if ((state & (uint32_t)PLF_COND_GENERATIONS) == now)
		return state;
	return PLF_COND_OURS | now | (state & PLF_COND_ATTRIBUTES);
}

static bool has_waiters(uint32_t state)
{
	return (state & PLF_COND_WAITERS) != 0;
}

static bool is_shared(uint32_t state)
{
	return (state & PLF_COND_SHARED) != 0;
}

/*
 * The new state of a condition variable of libc's. Waiters that libc has woken may still have to
 * leave, so they stay in the count.
 */
static uint32_t made_ours(uint32_t state)
{
	return PLF_COND_OURS | generation_of(state) |
	       (state & (uint32_t)(PLF_COND_WAITERS | PLF_COND_ATTRIBUTES));
}

/*
 * libc's waiters that were not woken would miss the signals from now on. They use another mutex at
 * the same time, which POSIX leaves undefined but libc bears. So they are woken, as POSIX allows,
 * and wait anew: then they find the condition variable ours.
 */
static void bring_along(pthread_cond_t *cond)
{
	plf_before_wait();
	PLF_COND_LIBC(pthread_cond_broadcast)(cond);
	plf_after_wait();
}

uint32_t plf_cond_enter(pthread_cond_t *cond)
{
	uint32_t state = plf_cond_state(cond);
	uint32_t entered;

	do
		entered = (plf_cond_is_ours(state) ? present(state) : made_ours(state)) +
			  PLF_COND_WAITER;
	while (!__atomic_compare_exchange_n(plf_cond_word(cond), &state, entered, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
	if (!plf_cond_is_ours(state) && has_waiters(state))
		bring_along(cond);
	return entered;
}

void plf_cond_leave(pthread_cond_t *cond, uint32_t state)
{
	uint32_t before =
		__atomic_fetch_sub(plf_cond_word(cond), PLF_COND_WAITER, __ATOMIC_SEQ_CST);

	if ((before & PLF_COND_DESTROYER) != 0 && (before & PLF_COND_WAITERS) == PLF_COND_WAITER)
		plf_cond_rouse(plf_cond_word(cond), is_shared(state), INT_MAX);
}

void plf_cond_wake(pthread_cond_t *cond, uint32_t state, int sleepers)
{
	if (!has_waiters(present(state)))
		return;
	__atomic_fetch_add(plf_cond_sequence(cond), 1, __ATOMIC_SEQ_CST);
	plf_cond_rouse(plf_cond_sequence(cond), is_shared(state), sleepers);
}

void plf_cond_give_back(pthread_cond_t *cond)
{
	uint32_t state = plf_cond_state(cond);
	uint32_t returned;

	do
		returned = present(state) & (uint32_t)(PLF_COND_WAITERS | PLF_COND_ATTRIBUTES);
	while (!__atomic_compare_exchange_n(plf_cond_word(cond), &state, returned, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
}

/* Does that init leave `expected` as the state, and 0 in every other word? */
static bool init_leaves(clockid_t clock, int shared, uint32_t expected)
{
	pthread_condattr_t attr;
	pthread_cond_t cond, fresh;
	int (*init)(pthread_cond_t *restrict, const pthread_condattr_t *restrict) =
		(__typeof__(init))dlsym(RTLD_DEFAULT, "pthread_cond_init"); /* the program's */

	memset(&fresh, 0, sizeof(fresh));
	*plf_cond_word(&fresh) = expected;
	memset(&cond, 0xff, sizeof(cond));
	return pthread_condattr_init(&attr) == 0 && pthread_condattr_setclock(&attr, clock) == 0 &&
	       pthread_condattr_setpshared(&attr, shared) == 0 && init(&cond, &attr) == 0 &&
	       memcmp(&cond, &fresh, sizeof(cond)) == 0;
}

bool plf_cond_layout_known(void)
{
	plf_cond_may_be_ours =
		init_leaves(CLOCK_REALTIME, PTHREAD_PROCESS_PRIVATE, 0) &&
		init_leaves(CLOCK_MONOTONIC, PTHREAD_PROCESS_PRIVATE, PLF_COND_MONOTONIC) &&
		init_leaves(CLOCK_REALTIME, PTHREAD_PROCESS_SHARED, PLF_COND_SHARED) &&
		init_leaves(CLOCK_MONOTONIC, PTHREAD_PROCESS_SHARED, PLF_COND_ATTRIBUTES);
	return plf_cond_may_be_ours;
}
