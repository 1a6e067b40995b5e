/* SPDX-License-Identifier: MIT */
#ifndef GLOBAL_ORACLE_H
#define GLOBAL_ORACLE_H

/*
 * The rules of mutexes across CPUs (protocol/global_word.h), judged by notes of the actors. No word
 * of the protocol is read meanwhile. Nothing here calls the C library: these are no boundaries.
 */
#include "actor.h"

/* What the oracle knows of an actor besides. */
struct side_notes {
	bool is_away;	 /* it is of the other CPU */
	bool is_in_line; /* it surely sleeps in the queue of mutex 0 */
	bool was_moved;	 /* it is on the other CPU now, as by taskset */
};

extern struct side_notes side_notes[ACTORS];

/* In its own code, after the hook or a section: no section of its CPU is open. */
void look_around(const struct actor *self);

/* Has the kernel raised it there? */
bool is_in_band(const struct actor *a);

/* It is in that section. */
void note_entered(struct actor *self, int which);

/* The other CPU is quiet: the actors that sleep now, where no section covers them, are in line. */
void note_line(void);

#endif
