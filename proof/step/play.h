/* SPDX-License-Identifier: MIT */
#ifndef STEP_PLAY_H
#define STEP_PLAY_H

/*
 * Plays a scene in every way:
 *
 *   single    one comer at each boundary of the holder.
 *   waiter    for each of these, the second comer at each boundary of the first.
 *   holder    for each of these, the second comer at each later boundary of the holder.
 *
 * The scene runs in a separate process. The parent (the command line) kills it if it makes no
 * progress, and calls this a livelock. Exit status: 0 (holds), 1 (violated), 2 (could not run).
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

/* ---- Functions of the program ------------------------------------------ */

extern const char program[];

/* Make the calling thread an actor of the scene. */
void step_on_stage(struct actor *self);

/* The number of times that the calling thread has slept at gates. */
uint64_t gate_waits(void);

/* clear_scene() comes before a run. wait_for_all() waits at its end for all actors. check_end()
 * comes after it, and calls violate() on a fault. */
void clear_scene(void);
void wait_for_all(void);
void check_end(void);

/* The whole scene, in a thread that becomes actor 0. */
void play_scene(void);

/* ---- Functions for the program ----------------------------------------- */

void could_not_run(const char *what, int error) __attribute__((noreturn));

/* Play the scene in a child. Returns its verdict when it has ended or stands still. */
int perform(int patience_ms);

/* Members of `report` as JSON, and the end of the line. */
void print_report(int status);

/* Start a thread for an actor that waits for its turn, or anew for an actor that died. */
void start_comer(struct actor *a);

void clear_notes(void);

/* Check each actor's kernel priority, the plain data, and that all actors have ended. */
void check_actors(void);

/* Set the arrival of the actor that comes when the victim gets there. */
void aim(struct arrival *arrival, const void *victim, struct boundary at,
	 bool (*comes)(void *argument), void *argument);
void aim_nowhere(struct arrival *arrival);

/* Run the scene once with the set arrivals. `second_expected`: the second must happen, too. */
void run(bool second_expected);

/* Run the holder alone, and report its boundaries. */
void trace_holder(void);

/* Let COMER come at each boundary of the holder. It may sleep at SLEEPS gates at most. */
void sweep_singles(bool (*comes)(void *argument), struct actor *comer, unsigned sleeps);

/*
 * The first comer comes at the Kth boundary of the holder. The second comes at all boundaries of
 * the first. WANTED selects boundaries, which need not be reached. NULL: all boundaries, and each
 * must be reached.
 */
void sweep_waiter(size_t k, bool (*comes)(void *argument), bool (*second_comes)(void *argument),
		  bool (*wanted)(const uint8_t *address));

/* The same with the holder's boundaries after the Kth, at which ANOTHER comes. */
void sweep_holder(size_t k, bool (*comes)(void *argument), bool (*second_comes)(void *argument),
		  struct actor *another, bool (*wanted)(const uint8_t *address));

/* All pairs, of three threads of one CPU. */
void sweep_pairs(void);

/* Report the violation of a run, and exit. */
void fail(void) __attribute__((noreturn));

#endif
