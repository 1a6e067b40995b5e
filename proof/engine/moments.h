/* SPDX-License-Identifier: MIT */
/* All known moments, by number, and the facts about each. Python's system supplies unknown
 * facts. */
#ifndef PLAFOND_PROOF_MOMENTS_H
#define PLAFOND_PROOF_MOMENTS_H

#include "grow.h"

#include <stdbool.h>
#include <stdint.h>

enum { NONE = -1, MAX_ASLEEP = 64 };

/* Numbers: the running actor's own state (NONE: none runs), the shared state, the system's
 * state. */
struct moment {
	int32_t own, shared, system;
};

/* The facts that the system reports about a number of its state. */
struct reported {
	int32_t running; /* or NONE */
	int32_t is_open; /* whether any actor can arrive, now or after sleeping in a section */
	int32_t count;
	int32_t asleep[MAX_ASLEEP]; /* the actors that can arrive */
};

/* The system that is explored. If a call does not return 0, the exploration stops. */
struct system {
	int (*report)(int system);					    /* fills `reported` */
	int (*go)(int running, int own, int shared, int system, int leaps); /* fills `after` */
	int (*arrive)(int running, int own, int shared, int system, int actor); /* fills `after` */
	int (*judge_rest)(int shared, int system);
	struct moment *after;
	struct reported *reported;
};

/* The facts about a number of the system's state, as they are kept. */
struct facts {
	int32_t running;
	bool is_known, is_open;
	size_t count, first; /* range in `sleepers` */
};

struct moments {
	struct system *system;
	jmp_buf *way_out; /* of the current exploration */
	struct array met;
	struct array facts;	/* by the system's number */
	struct array sleepers;	/* a block for each of the facts */
	struct array followers; /* of arrivals: a block for each moment */
	struct array switches;	/* moments at which another actor takes over */
	int32_t *numbers;	/* a hash table */
	size_t size;
};

/*
 * A follower of a moment. If it is >= 0, the same actor goes on, in the moment of this number.
 * REST: no actor runs. If it is less, another actor takes over, and switched() has the moment, with
 * the new state of the actor that ran.
 */
enum { UNKNOWN = -1, REST = -2 };

/* How far to run: one instruction, or up to the next mark. */
enum stride { STEP, LEAP };

int32_t moment_number(struct moments *moments, struct moment moment);
const struct moment *moment_at(const struct moments *moments, int32_t number);
const struct facts *facts_of(struct moments *moments, int32_t system);
const struct facts *facts_at(const struct moments *moments, int32_t number);
int32_t sleeper_at(const struct moments *moments, int32_t number, size_t index);

int32_t after_stride(struct moments *moments, int32_t number, enum stride stride);
int32_t after_arrival(struct moments *moments, int32_t number, size_t index);
struct moment switched(const struct moments *moments, int32_t follower);

/* No actor runs. If no actor can arrive either, judge the end. */
void judge_rest(struct moments *moments, int32_t number);

#endif
