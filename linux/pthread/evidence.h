/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_EVIDENCE_H
#define PLF_PTHREAD_EVIDENCE_H

/*
 * The records that learning keeps: mutexes, threads, and the use that each thread made of each
 * mutex. Nothing here locks. A thread's record is claimed under the registry's lock, because the
 * thread and the threads that wait for it share one record. All other records are claimed by
 * compare-and-swap. A count has a single writer, the thread of the record. Records are bounded, in
 * memory mapped at start; anything beyond is counted as dropped.
 */
#include "plain.h"
#include "site.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PLF_LEARN_MUTEXES = 4096,
	PLF_LEARN_THREADS = 1024,  /* with different identities, or alive at the same time */
	PLF_LEARN_LOCKERS = 16384, /* pairs of a mutex and a thread that locks it */
	PLF_LEARN_NESTINGS = 8192, /* pairs of a mutex and a mutex held at its lock */
	PLF_LEARN_WAITS = 8192,	   /* triples of a mutex, a thread, and the thread it waited for */
	PLF_LEARN_DEPTH = 32,	   /* mutexes that a thread holds at a time */
	PLF_THREAD_NAME = 16,
};

/* Records are numbered from 1; 0 means none. A list grows only at its head. */
struct plf_link {
	uint32_t next;
	uint32_t key; /* the number of the record that the entry is about */
};

struct plf_locker {
	struct plf_link link; /* key: the thread */
	uint32_t waited_for;  /* list of struct plf_waited_for */
	uint64_t locks, waits, preempted;
	uint64_t longest_hold_ns, total_hold_ns;
};

/* A locker's waits for a mutex, by the thread that had the mutex when the wait began. */
struct plf_waited_for {
	struct plf_link link; /* key: that thread; 0: not known */
	uint64_t waits, longest_ns;
};

enum plf_mutex_state {
	PLF_MUTEX_NONE, /* never used, or being written */
	PLF_MUTEX_ALIVE,
	PLF_MUTEX_GONE,	  /* destroyed, with evidence */
	PLF_MUTEX_UNUSED, /* destroyed, never locked: the record may be reused */
};

struct plf_evidence_mutex {
	struct plf_site site;
	struct plf_site place;	   /* the mutex, if it lies in an object's memory; else "unknown" */
	struct plf_site locked_at; /* the first lock of a plain mutex by a real-time thread */
	const void *call_site;
	const char *symbol;	   /* at `site`; NULL: not looked for */
	char name[PLF_MUTEX_NAME]; /* from the program; "": none */
	uint64_t path;
	uint32_t order, nth;
	bool handed_over; /* a thread unlocked it after another thread had locked it */
	int protocol, ceiling;
	uint32_t lockers; /* list of struct plf_locker */
	uint32_t inside;  /* list of struct plf_link; key: a mutex held at a lock */
	uint32_t state;	  /* enum plf_mutex_state */
};

/* The identity of a thread. If its policy, priority or CPU changes, it gets another record. */
struct plf_identity {
	char name[PLF_THREAD_NAME];
	struct plf_site start;
	int policy, priority;
	int cpu; /* -1: not pinned to one CPU */
};

struct plf_held {
	uint32_t mutex, locker;
	uint64_t since_ns;
	uint64_t preemptions; /* of the thread, before the lock */
};

enum {
	PLF_NEVER_USED = 0,
	PLF_ENDED = -1, /* free for the next thread with this identity */
};

struct plf_evidence_thread {
	struct plf_identity is;
	char name[PLF_THREAD_NAME]; /* last seen */
	int user;		    /* TID, PLF_NEVER_USED or PLF_ENDED */
	bool seen_only;		    /* claimed by a thread that waited for this user */
	uint64_t activations, shortest_gap_ns, longest_run_ns;

	/* For the present user only. */
	uint64_t returned_ns; /* when its last activation began; 0: none yet */
	uint64_t ran_ns;      /* its CPU time at that moment */
	uint32_t depth;
	struct plf_held held[PLF_LEARN_DEPTH];
};

struct plf_evidence {
	uint32_t mutexes, threads, lockers, nestings, waits; /* numbers of used records */
	uint64_t dropped;
	struct plf_evidence_mutex mutex[PLF_LEARN_MUTEXES];
	struct plf_evidence_thread thread[PLF_LEARN_THREADS];
	struct plf_locker locker[PLF_LEARN_LOCKERS];
	struct plf_link nesting[PLF_LEARN_NESTINGS];
	struct plf_waited_for wait[PLF_LEARN_WAITS];
};

extern struct plf_evidence *plf_evidence;

/* Returns 0 or an errno value. */
int plf_evidence_map(void);

/* Keep the mutexes, and forget their uses and all threads. */
void plf_evidence_begin_anew(void);

/* Count something for which there was no room. */
void plf_evidence_drop(void);

/*
 * Claim a record in state PLF_MUTEX_NONE; 0: no room. The caller fills it, and publishes it by
 * another state.
 */
uint32_t plf_evidence_claim_mutex(void);

/*
 * Claim the record of a thread with this identity; it belongs to the thread TID from now on. NULL:
 * no room. The caller holds the registry's lock.
 */
struct plf_evidence_thread *plf_evidence_claim_thread(const struct plf_identity *identity, int tid);

/* The present record of that thread; NULL: none. */
struct plf_evidence_thread *plf_evidence_thread_of(int tid);

/* The number of the thread's entry among the mutex's lockers; 0: no room. */
uint32_t plf_evidence_locker(uint32_t mutex, const struct plf_evidence_thread *thread);

/* The number of the locker's entry for waits for that thread (0: not known); 0: no room. */
uint32_t plf_evidence_waited_for(struct plf_locker *locker, uint32_t thread);

/* Record that `mutex` was locked while `held` was held. */
void plf_evidence_nest(uint32_t mutex, uint32_t held);

static inline struct plf_evidence_mutex *plf_evidence_mutex(uint32_t number)
{
	return &plf_evidence->mutex[number - 1];
}

static inline uint32_t plf_evidence_number(const struct plf_evidence_thread *thread)
{
	return (uint32_t)(thread - plf_evidence->thread) + 1;
}

/* A count has a single writer, but the thread that ends the process reads it meanwhile. */
static inline void plf_evidence_add(uint64_t *count, uint64_t more)
{
	__atomic_store_n(count, *count + more, __ATOMIC_RELAXED);
}

static inline void plf_evidence_raise(uint64_t *longest, uint64_t to)
{
	if (to > *longest)
		__atomic_store_n(longest, to, __ATOMIC_RELAXED);
}

#endif
