/* SPDX-License-Identifier: MIT */
#ifndef STRESS_MEMBER_H
#define STRESS_MEMBER_H

/*
 * The attached threads of a run: each waits for its release, then runs an
 * activity of random sections.
 */
#include "notes.h"

#include <plafond.h>
#include <pthread.h>
#include <time.h>

/* By what a member is released. */
enum role {
	BY_TIME,
	BY_SEMAPHORE,
	BY_CONDITION,
};

struct member {
	struct notes notes;
	enum role role;
	unsigned locks; /* 1 << index: those it uses */
	uint64_t random;
	pthread_t thread;
	unsigned lives;
	volatile bool died; /* in a section: to be replaced */
	uint64_t next_ns;
	int held[LOCKS]; /* open sections, outermost first */
	int depth;
	/* Totals over all its lives. */
	uint64_t entries[LOCKS], all_sections, gate_waits, deaths, longest_ns;
};

/* What all members of the run share. */
struct crowd {
	unsigned faults;
	unsigned attach_flags;
	int cpu;
	unsigned members;
	volatile bool stop;
	plf_mutex_t lock[LOCKS];
	struct guarded {
		long first, second; /* equal whenever no member is inside */
		int owner;
	} guarded[LOCKS];
	uint64_t deaths[LOCKS], reported[LOCKS]; /* guarded by the lock */
	/* The member BY_SEMAPHORE. */
	plf_sem_t jobs;
	uint64_t posted, taken;
	/* The member BY_CONDITION. */
	plf_mutex_t event_lock;
	plf_cond_t event;
	uint64_t produced, consumed;
	struct member member[MEMBERS_MAX];
};

extern struct crowd crowd;

/* Start a thread for SELF: its first one, or one in place of the dead. 0 or an errno value. */
int member_start(struct member *self);

/* Until its thread has ended; returns whether it died in a section. */
bool member_join(struct member *self);

/* Sleep until the next activation; false: the run is over. */
bool wait_for_release(struct member *self);

/* Release the member BY_SEMAPHORE; also from a signal handler. */
void post_job(void);

/* Release the member BY_CONDITION. */
void signal_event(struct member *self);

/* One activity: random sections, nested in random order, with the faults of the run. */
void run_activity(struct member *self);

/* The member of a lock whose last holder died makes its data whole. */
void repair(int which);

/* Foreign mutexes: OUTER is taken around sections only, INNER inside them only. */
enum foreign {
	FOREIGN_OUTER,
	FOREIGN_INNER,
	FOREIGNS,
};

int foreign_setup(void);
void foreign_lock(struct member *self, enum foreign which);
void foreign_unlock(struct member *self, enum foreign which);

/* A FIFO thread that the library does not know: takes foreign mutexes, or intrudes. */
enum { INTRUDER_PERIOD_US = 700 };
int stranger_start(int priority, uint64_t random);
void stranger_join(void);

#endif
