/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "member.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

__thread struct plf_member plf_me = {
	.top = &plf_stranger_top,
	.rank = PLF_RANK_FAR,
	.cover = PLF_RANK_FAR,
	.lock_libc = plf_lock_libc_first,
	.change = PTHREAD_MUTEX_INITIALIZER,
};
uint64_t plf_stranger_top;
int (*plf_lock_libc_outside)(pthread_mutex_t *) = plf_lock_libc_first;

void plf_look_like_stranger(struct plf_member *member)
{
	__atomic_store_n(&member->rank, PLF_RANK_FAR, __ATOMIC_RELEASE);
	__atomic_store_n(&member->cover, PLF_RANK_FAR, __ATOMIC_RELEASE);
	__atomic_store_n(&member->local, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&member->top, &plf_stranger_top, __ATOMIC_RELEASE);
}

/* ---- Whose words they are ---------------------------------------------- */

enum { CLOCK_BITS = 3 }; /* below the complement of the TID in the clock id of a thread */

uint32_t plf_libc_tid(void)
{
	clockid_t clock;

	pthread_getcpuclockid(pthread_self(), &clock);
	return (uint32_t) ~(clock >> CLOCK_BITS);
}

bool plf_is_self(void)
{
	return (uint32_t)gettid() == plf_libc_tid();
}

/* ---- Its sections ------------------------------------------------------ */

const struct plf_section *plf_highest(const struct plf_member *member, enum plf_kept kept)
{
	const struct plf_section *highest = NULL;

	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (member->section[i].kept == kept &&
		    (highest == NULL || member->section[i].ceiling > highest->ceiling))
			highest = &member->section[i];
	return highest;
}

/* ---- Being known ------------------------------------------------------- */

/*
 * The known threads, by their TIDs. A thread that ended without notice stays in the table until a
 * new thread has its TID or its memory.
 */
enum { THREADS = 4 * PLF_THREAD_MAX };

static struct known {
	uint32_t tid;
	pthread_t thread;
} known[THREADS];

/* The entry of that thread; else a free entry; NULL: the table is full. */
static struct known *entry_of(pthread_t thread, uint32_t tid)
{
	struct known *empty = NULL;

	for (size_t i = 0; i < THREADS; i++) {
		if (known[i].tid != 0 &&
		    (known[i].tid == tid || pthread_equal(known[i].thread, thread)))
			return &known[i];
		if (known[i].tid == 0 && empty == NULL)
			empty = &known[i];
	}
	return empty;
}

void plf_member_enter(uint32_t tid)
{
	struct known *entry;

	plf_registry_lock();
	entry = entry_of(pthread_self(), plf_me.tid);
	if (entry != NULL)
		*entry = (struct known) { .tid = tid, .thread = pthread_self() };
	plf_registry_unlock();
}

/* The member is thread-local, so it lies at a fixed distance from the address in pthread_t. */
static struct plf_member *member_at(pthread_t thread)
{
	uintptr_t distance = (uintptr_t)&plf_me - (uintptr_t)pthread_self();

	return (struct plf_member *)((uintptr_t)thread + distance);
}

struct plf_member *plf_member_of(pthread_t thread)
{
	struct plf_member *member = member_at(thread);

	return member->known ? member : NULL;
}

struct plf_member *plf_member_of_tid(uint32_t tid)
{
	for (size_t i = 0; i < THREADS; i++)
		if (known[i].tid == tid && tgkill(getpid(), (pid_t)tid, 0) == 0)
			return plf_member_of(known[i].thread);
	return NULL;
}

void plf_unsettle(struct plf_member *member)
{
	__atomic_store_n(&member->settled, false, __ATOMIC_RELEASE); /* after the change */
	plf_look_like_stranger(member);
}

void plf_member_is_alone(uint32_t tid)
{
	memset(known, 0, sizeof(known));
	if (plf_me.known)
		known[0] = (struct known) { .tid = tid, .thread = pthread_self() };
	plf_me.change = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* maybe held in the parent */
	plf_me.tid = tid;
}
