/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_EVIDENCE_H
#define PLF_PTHREAD_EVIDENCE_H

/*
 * The records that learning keeps: mutexes, threads, and the use that each thread made of
 * each mutex. Nothing here locks. A thread's record is claimed under the registry's lock,
 * because a thread and those that wait for it claim one record. Others are claimed by
 * compare-and-swap. Counts have one writer, the thread that the record belongs to.
 * Records are bounded, in memory mapped at start; the rest is counted as dropped.
 */
#include "plain.h"
#include "site.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PLF_LEARN_MUTEXES = 4096,
	PLF_LEARN_THREADS = 1024,  /* that differ, or live at the same time */
	PLF_LEARN_LOCKERS = 16384, /* pairs of a mutex and a thread that locks it */
	PLF_LEARN_NESTINGS = 8192, /* pairs of a mutex and one that it is taken inside of */
	PLF_LEARN_WAITS = 8192,	   /* triples of a mutex, a thread, and one that it waited for */
	PLF_LEARN_DEPTH = 32,	   /* mutexes that one thread holds at a time */
	PLF_THREAD_NAME = 16,
};

/* Numbers of records count from 1; 0 is none. Lists only grow, at their head. */
struct plf_link {
	uint32_t next;
	uint32_t key; /* the number of the entry's subject */
};

struct plf_locker {
	struct plf_link link; /* key: the thread */
	uint32_t waited_for;  /* list of struct plf_waited_for */
	uint64_t locks, waits, preempted;
	uint64_t longest_hold_ns, total_hold_ns;
};

/* What a locker waited, where that thread had the mutex when the wait began. */
struct plf_waited_for {
	struct plf_link link; /* key: the thread; 0: it was not seen */
	uint64_t waits, longest_ns;
};

enum plf_mutex_state {
	PLF_MUTEX_NONE, /* never used, or being written */
	PLF_MUTEX_ALIVE,
	PLF_MUTEX_GONE,	  /* destroyed, with evidence */
	PLF_MUTEX_UNUSED, /* destroyed, never locked: the record may be had again */
};

struct plf_evidence_mutex {
	struct plf_site site;
	struct plf_site place;	   /* of the mutex itself, in an object's memory; else "unknown" */
	struct plf_site locked_at; /* where a thread of real time first locked a plain one */
	const void *call_site;
	const char *symbol;	   /* of the site; NULL: not looked for */
	char name[PLF_MUTEX_NAME]; /* that the program gave it; "": none */
	uint64_t path;
	uint32_t order, nth;
	bool handed_over; /* a thread unlocked what another one had locked */
	int protocol, ceiling;
	uint32_t lockers; /* list of struct plf_locker */
	uint32_t inside;  /* list of struct plf_link; key: the mutex that was held */
	uint32_t state;	  /* enum plf_mutex_state */
};

/* The identity of a thread. One that changes in this goes on under another record. */
struct plf_identity {
	char name[PLF_THREAD_NAME];
	struct plf_site start;
	int policy, priority;
	int cpu; /* -1: not pinned to one */
};

struct plf_held {
	uint32_t mutex, locker;
	uint64_t since_ns;
	uint64_t preemptions; /* of the thread, until then */
};

enum {
	PLF_NEVER_USED = 0,
	PLF_ENDED = -1, /* free for the next thread that is the same */
};

struct plf_evidence_thread {
	struct plf_identity is;
	char name[PLF_THREAD_NAME]; /* the last one seen */
	int user;		    /* TID, PLF_NEVER_USED or PLF_ENDED */
	bool seen_only;		    /* claimed by a thread that waited for its user */
	uint64_t activations, shortest_gap_ns, longest_run_ns;

	/* Of the present user's life. */
	uint64_t returned_ns; /* when the last activation was; 0: none yet */
	uint64_t ran_ns;      /* CPU time until then */
	uint32_t depth;
	struct plf_held held[PLF_LEARN_DEPTH];
};

struct plf_evidence {
	uint32_t mutexes, threads, lockers, nestings, waits; /* used of each */
	uint64_t dropped;
	struct plf_evidence_mutex mutex[PLF_LEARN_MUTEXES];
	struct plf_evidence_thread thread[PLF_LEARN_THREADS];
	struct plf_locker locker[PLF_LEARN_LOCKERS];
	struct plf_link nesting[PLF_LEARN_NESTINGS];
	struct plf_waited_for wait[PLF_LEARN_WAITS];
};

extern struct plf_evidence *plf_evidence;

/* 0 or an errno value. */
int plf_evidence_map(void);

/* The mutexes stay, without their uses. */
void plf_evidence_begin_anew(void);

/* Something did not fit. */
void plf_evidence_drop(void);

/* A record with its state PLF_MUTEX_NONE, to be written and then published; 0: no room. */
uint32_t plf_evidence_claim_mutex(void);

/*
 * The record of a thread that is this, from now on that of this TID; NULL: no room. The caller
 * holds the registry's lock.
 */
struct plf_evidence_thread *plf_evidence_claim_thread(const struct plf_identity *identity, int tid);

/* The record that this thread has now; NULL: none. */
struct plf_evidence_thread *plf_evidence_thread_of(int tid);

/* The locker's entry of a mutex; 0: no room. */
uint32_t plf_evidence_locker(uint32_t mutex, const struct plf_evidence_thread *thread);

/* The locker's entry for waits for that thread, 0 too; 0: no room. */
uint32_t plf_evidence_waited_for(struct plf_locker *locker, uint32_t thread);

/* `mutex` was taken while `held` was. */
void plf_evidence_nest(uint32_t mutex, uint32_t held);

static inline struct plf_evidence_mutex *plf_evidence_mutex(uint32_t number)
{
	return &plf_evidence->mutex[number - 1];
}

static inline uint32_t plf_evidence_number(const struct plf_evidence_thread *thread)
{
	return (uint32_t)(thread - plf_evidence->thread) + 1;
}

/* Counts have one writer; the thread that ends the process reads them meanwhile. */
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
