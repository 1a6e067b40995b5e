/* SPDX-License-Identifier: MIT */
#ifndef GLOBAL_ORACLE_H
#define GLOBAL_ORACLE_H

/*
 * The rules of mutexes across CPUs (protocol/global_word.h), judged by notes of the actors, without
 * reading the protocol's words. Nothing here calls the C library, because these calls would be
 * boundaries.
 */
#include "actor.h"

/* The oracle's additional notes on an actor. */
struct side_notes {
	bool is_away;	 /* it belongs to the other CPU */
	bool is_in_line; /* it certainly sleeps in the queue of mutex 0 */
	bool was_moved;	 /* it was moved to the other CPU, as by taskset */
};

extern struct side_notes side_notes[ACTORS];

/* Called after the hook or a section: no section of the actor's CPU may be open. */
void look_around(const struct actor *self);

/* Whether the kernel has raised the actor to the band. */
bool is_in_band(const struct actor *a);

/* The actor has entered the section of mutex `which`. */
void note_entered(struct actor *self, int which);

/* The other CPU is quiet. So actors that sleep now, and that no section covers, are in line. */
void note_line(void);

#endif
