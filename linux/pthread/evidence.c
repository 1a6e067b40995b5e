/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "evidence.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct plf_evidence *plf_evidence;

_Static_assert(sizeof(struct plf_evidence) < 7 << 19, "at most 3.5 MiB, as the guide says");

int plf_evidence_map(void)
{
	void *memory = mmap(NULL, sizeof(struct plf_evidence), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return errno;
	plf_evidence = memory;
	return 0;
}

void plf_evidence_drop(void)
{
	__atomic_fetch_add(&plf_evidence->dropped, 1, __ATOMIC_RELAXED);
}

/* The number of a new record; 0: no room. */
static uint32_t next_of(uint32_t *used, uint32_t most)
{
	uint32_t before = __atomic_load_n(used, __ATOMIC_RELAXED);

	while (before < most)
		if (__atomic_compare_exchange_n(used, &before, before + 1, true, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return before + 1;
	plf_evidence_drop();
	return 0;
}

void plf_evidence_begin_anew(void)
{
	struct plf_evidence *e = plf_evidence;

	for (uint32_t i = 0; i < e->mutexes; i++)
		e->mutex[i].lockers = e->mutex[i].inside = 0;
	memset(e->thread, 0, e->threads * sizeof(e->thread[0]));
	memset(e->locker, 0, e->lockers * sizeof(e->locker[0]));
	memset(e->nesting, 0, e->nestings * sizeof(e->nesting[0]));
	memset(e->wait, 0, e->waits * sizeof(e->wait[0]));
	e->threads = e->lockers = e->nestings = e->waits = 0;
	e->dropped = 0;
}

/* ---- Mutexes ----------------------------------------------------------- */

static uint32_t unused_mutex(void)
{
	for (uint32_t i = 0; i < PLF_LEARN_MUTEXES; i++) {
		uint32_t state = PLF_MUTEX_UNUSED;

		if (__atomic_compare_exchange_n(&plf_evidence->mutex[i].state, &state,
						PLF_MUTEX_NONE, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return i + 1;
	}
	return 0;
}

uint32_t plf_evidence_claim_mutex(void)
{
	uint32_t number = 0;

	if (__atomic_load_n(&plf_evidence->mutexes, __ATOMIC_RELAXED) == PLF_LEARN_MUTEXES)
		number = unused_mutex();
	return number != 0 ? number : next_of(&plf_evidence->mutexes, PLF_LEARN_MUTEXES);
}

/* ---- Threads ----------------------------------------------------------- */

static bool same(const struct plf_identity *a, const struct plf_identity *b)
{
	return a->policy == b->policy && a->priority == b->priority && a->cpu == b->cpu &&
	       a->start.offset == b->start.offset && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->start.module, b->start.module) == 0;
}

/* A thread may end without leaving its record, so the kernel is asked. */
static bool has_ended(int user)
{
	return user == PLF_ENDED || (syscall(SYS_tgkill, getpid(), user, 0) != 0 && errno == ESRCH);
}

/*
 * Find a thread with this identity that has ended, so that a program with a thread for each job has
 * one record for all of them.
 */
static struct plf_evidence_thread *ended_thread(const struct plf_identity *identity)
{
	for (uint32_t i = 0; i < PLF_LEARN_THREADS; i++) {
		struct plf_evidence_thread *thread = &plf_evidence->thread[i];
		int user = __atomic_load_n(&thread->user, __ATOMIC_ACQUIRE);

		if (user != PLF_NEVER_USED && same(&thread->is, identity) && has_ended(user))
			return thread;
	}
	return NULL;
}

struct plf_evidence_thread *plf_evidence_thread_of(int tid)
{
	for (uint32_t i = 0; i < plf_evidence->threads; i++)
		if (__atomic_load_n(&plf_evidence->thread[i].user, __ATOMIC_ACQUIRE) == tid)
			return &plf_evidence->thread[i];
	return NULL;
}

/* The caller's record, if a thread that waited for the caller claimed it. */
static struct plf_evidence_thread *seen_thread(const struct plf_identity *identity, int tid)
{
	struct plf_evidence_thread *thread = plf_evidence_thread_of(tid);

	if (thread == NULL || !thread->seen_only)
		return NULL;
	thread->seen_only = false;
	if (thread->is.policy == identity->policy && thread->is.priority == identity->priority &&
	    thread->is.cpu == identity->cpu) {
		thread->is.start = identity->start;
		return thread;
	}
	__atomic_store_n(&thread->user, PLF_ENDED, __ATOMIC_RELEASE);
	return NULL;
}

struct plf_evidence_thread *plf_evidence_claim_thread(const struct plf_identity *identity, int tid)
{
	struct plf_evidence_thread *thread = seen_thread(identity, tid);
	uint32_t number;

	if (thread == NULL)
		thread = ended_thread(identity);
	if (thread == NULL) {
		number = next_of(&plf_evidence->threads, PLF_LEARN_THREADS);
		if (number == 0)
			return NULL;
		thread = &plf_evidence->thread[number - 1];
		thread->is = *identity;
	}
	memcpy(thread->name, identity->name, sizeof(thread->name));
	thread->returned_ns = 0;
	thread->depth = 0;
	__atomic_store_n(&thread->user, tid, __ATOMIC_RELEASE);
	return thread;
}

/* ---- Lists ------------------------------------------------------------- */

/* The entries of a kind of list, and the number of used entries. */
struct pool {
	void *entries;
	size_t size;
	uint32_t *used, most;
};

static struct plf_link *entry(const struct pool *pool, uint32_t number)
{
	return (void *)((char *)pool->entries + (number - 1) * pool->size);
}

/* The entry with that key between `from` (included) and `end` (excluded); 0: none. */
static uint32_t find(const struct pool *pool, uint32_t from, uint32_t end, uint32_t key)
{
	while (from != end && entry(pool, from)->key != key)
		from = entry(pool, from)->next;
	return from == end ? 0 : from;
}

/*
 * If another thread adds the same key at the same time, the later compare-and-swap fails, and its
 * thread finds the other entry.
 */
static uint32_t find_or_add(const struct pool *pool, uint32_t *head, uint32_t key)
{
	uint32_t first = __atomic_load_n(head, __ATOMIC_ACQUIRE);
	uint32_t number = find(pool, first, 0, key);
	uint32_t added;

	if (number != 0)
		return number;
	added = next_of(pool->used, pool->most);
	if (added == 0)
		return 0;
	entry(pool, added)->key = key;
	do {
		number = find(pool, first, entry(pool, added)->next, key);
		if (number != 0)
			return number;
		entry(pool, added)->next = first;
	} while (!__atomic_compare_exchange_n(head, &first, added, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE));
	return added;
}

uint32_t plf_evidence_locker(uint32_t mutex, const struct plf_evidence_thread *thread)
{
	struct plf_evidence *e = plf_evidence;
	const struct pool pool = { e->locker, sizeof(e->locker[0]), &e->lockers,
				   PLF_LEARN_LOCKERS };

	return find_or_add(&pool, &plf_evidence_mutex(mutex)->lockers, plf_evidence_number(thread));
}

uint32_t plf_evidence_waited_for(struct plf_locker *locker, uint32_t thread)
{
	struct plf_evidence *e = plf_evidence;
	const struct pool pool = { e->wait, sizeof(e->wait[0]), &e->waits, PLF_LEARN_WAITS };

	return find_or_add(&pool, &locker->waited_for, thread);
}

void plf_evidence_nest(uint32_t mutex, uint32_t held)
{
	struct plf_evidence *e = plf_evidence;
	const struct pool pool = { e->nesting, sizeof(e->nesting[0]), &e->nestings,
				   PLF_LEARN_NESTINGS };

	find_or_add(&pool, &plf_evidence_mutex(mutex)->inside, held);
}
