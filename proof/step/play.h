/* SPDX-License-Identifier: MIT */
#ifndef STEP_PLAY_H
#define STEP_PLAY_H

/*
 * Plays one scene in every way:
 *
 *   single    one comer at each boundary of the holder
 *   waiter    for each of those, the second comer at each boundary of the first
 *   holder    for each of those, the second comer at each later boundary of the holder
 *
 * in a process of its own. Its parent, the command line, kills it when it stops making
 * progress, and calls that a livelock. It ends with 0 (holds), 1 (violated), 2 (could not run).
 */
#include "actor.h"

struct report {
	bool on_stage;	     /* in real time; before and after, others may starve the process */
	unsigned long alive; /* counts signs of life */
	unsigned long boundaries, singles, waiter_pairs, holder_pairs;
	char finding[160], first[256], second[256];
};

extern struct report *report; /* shared with the parent */
extern struct trace holder_trace;
extern struct arrival first, second;

/* ---- What the program has ---------------------------------------------- */

extern const char program[];

/* In the calling thread: make it one of the scene. */
void step_on_stage(struct actor *self);

/* How often it slept at gates so far. */
uint64_t gate_waits(void);

/* Before a run; at its end, until all have come to theirs; and after it: calls violate(). */
void clear_scene(void);
void wait_for_all(void);
void check_end(void);

/* The whole scene, in a thread that becomes actor 0. */
void play_scene(void);

/* ---- What it uses ------------------------------------------------------ */

void could_not_run(const char *what, int error) __attribute__((noreturn));

/* Play the scene in a child; returns its verdict when it has ended, or stands still. */
int perform(int patience_ms);

/* Members of `report` as JSON, and the end of the line. */
void print_report(int status);

/* A thread for an actor that waits for its turn; for one that died, anew. */
void start_comer(struct actor *a);

void clear_notes(void);

/* Each actor's kernel priority, the plain data, and that all have come to an end. */
void check_actors(void);

/* The actor that comes when the victim gets there. */
void aim(struct arrival *arrival, const void *victim, struct boundary at,
	 bool (*comes)(void *argument), void *argument);
void aim_nowhere(struct arrival *arrival);

/* One run of the scene with what is aimed. `second_expected`: it must happen too. */
void run(bool second_expected);

/* The holder alone, which reports its boundaries. */
void trace_holder(void);

/* At each boundary of the holder; the comer sleeps at that many gates at most. */
void sweep_singles(bool (*comes)(void *argument), struct actor *comer, unsigned sleeps);

/*
 * For the Kth boundary of the holder, at which the first comer comes, all of this one's, at which
 * the second does. WANTED: only such, where they are reached; NULL: all, and each must be.
 */
void sweep_waiter(size_t k, bool (*comes)(void *argument), bool (*second_comes)(void *argument),
		  bool (*wanted)(const uint8_t *address));

/* The same with the holder's own boundaries from the Kth on, at which ANOTHER comes. */
void sweep_holder(size_t k, bool (*comes)(void *argument), bool (*second_comes)(void *argument),
		  struct actor *another, bool (*wanted)(const uint8_t *address));

/* All pairs, of three threads of one CPU. */
void sweep_pairs(void);

/* A run was wrong. */
void fail(void) __attribute__((noreturn));

#endif
