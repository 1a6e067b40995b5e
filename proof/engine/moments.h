/* SPDX-License-Identifier: MIT */
/*
 * All moments that were met, by number, and what is known of each. What is not known yet is asked
 * of the system, which is Python's.
 */
#ifndef PLAFOND_PROOF_MOMENTS_H
#define PLAFOND_PROOF_MOMENTS_H

#include "grow.h"

#include <stdbool.h>
#include <stdint.h>

enum { NONE = -1, MAX_ASLEEP = 64 };

/* Numbers: the own state of the running actor (NONE: none runs), the shared state, the system's. */
struct moment {
	int32_t own, shared, system;
};

/* What the system says that one of its numbers stands for. */
struct reported {
	int32_t running; /* or NONE */
	int32_t is_open; /* whether any actor can arrive, now or after sleeping in a section */
	int32_t count;
	int32_t asleep[MAX_ASLEEP]; /* the actors that can arrive */
};

/* The system that is explored. Each call answers 0, or the exploration stops. */
struct system {
	int (*report)(int system);					    /* fills `reported` */
	int (*go)(int running, int own, int shared, int system, int leaps); /* fills `after` */
	int (*arrive)(int running, int own, int shared, int system, int actor); /* fills `after` */
	int (*judge_rest)(int shared, int system);
	struct moment *after;
	struct reported *reported;
};

/* What a system's number stands for, as it is kept. */
struct facts {
	int32_t running;
	bool is_known, is_open;
	size_t count, first; /* of `sleepers` */
};

struct moments {
	struct system *system;
	jmp_buf *way_out; /* of the exploration that asks */
	struct array met;
	struct array facts;	/* by the system's number */
	struct array sleepers;	/* a block for each of the facts */
	struct array followers; /* of arrivals: a block for each moment */
	struct array switches;	/* what moments became when another took over */
	int32_t *numbers;	/* a hash table */
	size_t size;
};

/*
 * What follows a moment: the number of another one, if the same one goes on; REST: no actor runs;
 * anything less: another takes over, and switched() is the new state of the one that ran.
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

/* No actor runs; if none can arrive either, this is the end. */
void judge_rest(struct moments *moments, int32_t number);

#endif
