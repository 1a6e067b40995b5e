/* SPDX-License-Identifier: MIT */
#ifndef SEMANTICS_CROWD_H
#define SEMANTICS_CROWD_H

/*
 * Threads that visit two mutexes at random, in every way to lock, alone and nested, now and then
 * asleep inside: a thread that finds another inside has found a lock that does not exclude.
 */
#include "team.h"

#include <stdint.h>

struct room {
	pthread_mutex_t mutex;
	_Atomic int inside;
	long visits; /* by the thread inside */
};

struct crowd {
	struct room room[2];
	_Atomic long visits[2];
	_Atomic bool over; /* visitors without a number of rounds go home */
};

struct visitor {
	struct crowd *crowd;
	uint32_t seed;
	int rounds; /* 0: until it is over */
};

void open_crowd(struct crowd *crowd, int type);
/* The body of a member; its argument is a struct visitor. */
void visit(void *visitor);
/* All have left: no visit was lost, and both mutexes are free. */
void close_crowd(struct crowd *crowd);

#endif
