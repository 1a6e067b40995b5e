/* SPDX-License-Identifier: MIT */
#ifndef SEMANTICS_CROWD_H
#define SEMANTICS_CROWD_H

/*
 * Threads that visit two mutexes at random, with every kind of lock, alone and nested, and
 * sometimes sleep inside. If a thread finds another thread inside, the lock does not exclude.
 */
#include "team.h"

#include <stdint.h>

struct room {
	pthread_mutex_t mutex;
	_Atomic int inside;
	long visits; /* counted by the thread inside */
};

struct crowd {
	struct room room[2];
	_Atomic long visits[2];
	_Atomic bool over; /* visitors without a number of rounds leave */
};

struct visitor {
	struct crowd *crowd;
	uint32_t seed;
	int rounds; /* 0: until the crowd is over */
};

void open_crowd(struct crowd *crowd, int type);
/* The body of a member; its argument is a struct visitor. */
void visit(void *visitor);
/* Check, when all have left, that no visit was lost and both mutexes are free. */
void close_crowd(struct crowd *crowd);

#endif
