/* SPDX-License-Identifier: MIT */
#ifndef STRESS_MEMBER_H
#define STRESS_MEMBER_H

/*
 * The attached threads of a run. Each waits for its release, and then runs an activity of random
 * sections.
 */
#include "notes.h"

#include <plafond.h>
#include <pthread.h>
#include <time.h>

/* The event that releases a member. */
enum role {
	BY_TIME,
	BY_SEMAPHORE,
	BY_CONDITION,
};

struct member {
	struct notes notes;
	enum role role;
	unsigned locks; /* the locks that it uses, 1 << index */
	uint64_t random;
	pthread_t thread;
	unsigned lives;
	volatile bool died; /* in a section, so it must be replaced */
	uint64_t next_ns;
	int held[LOCKS]; /* open sections, outermost first */
	int depth;
	/* totals over all its lives */
	uint64_t entries[LOCKS], all_sections, gate_waits, deaths, longest_ns;
};

/* The data that all members of the run share. */
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
	uint64_t deaths[LOCKS], reported[LOCKS]; /* guarded by the lock of the same index */
	/* for the member BY_SEMAPHORE */
	plf_sem_t jobs;
	uint64_t posted, taken;
	/* for the member BY_CONDITION */
	plf_mutex_t event_lock;
	plf_cond_t event;
	uint64_t produced, consumed;
	struct member member[MEMBERS_MAX];
};

extern struct crowd crowd;

/* Start the first thread of SELF, or a thread in place of a dead thread. Returns 0 or an errno
 * value. */
int member_start(struct member *self);

/* Wait until the thread has ended. Returns whether it died in a section. */
bool member_join(struct member *self);

/* Sleep until the next activation. Returns false when the run is over. */
bool wait_for_release(struct member *self);

/* Release the member BY_SEMAPHORE; a signal handler may call this, too. */
void post_job(void);

/* Release the member BY_CONDITION. */
void signal_event(struct member *self);

/* Run an activity: random sections, nested in random order, with the faults of the run. */
void run_activity(struct member *self);

/* Repair a lock whose last holder died, and its data. The caller must hold the lock. */
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

/* A FIFO thread that the library does not know. It takes foreign mutexes, or intrudes. */
enum { INTRUDER_PERIOD_US = 700 };
int stranger_start(int priority, uint64_t random);
void stranger_join(void);

#endif
