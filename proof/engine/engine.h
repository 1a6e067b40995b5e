/* SPDX-License-Identifier: MIT */
/* The functions that explore.py calls. */
#ifndef PLAFOND_PROOF_ENGINE_H
#define PLAFOND_PROOF_ENGINE_H

#include "moments.h"

struct progress {
	int64_t boundaries, pairs, states;
};

/* An arrival of `actor`, this number of boundaries after the arrival before. */
struct arrival {
	int32_t boundary, actor;
};

struct exploration;

struct moments *moments_create(struct system *system);
void moments_destroy(struct moments *moments);

/* `actors`: their number; `longest`: see explore.py; `most`: of arrivals, or NONE: any number. */
struct exploration *exploration_create(struct moments *moments, int actors, int longest, int most);
void exploration_destroy(struct exploration *exploration);

/* Explore to the end, from these own states of the actors and the rest. */
enum outcome explore(struct exploration *exploration, const int32_t *own, int shared, int system);

struct progress exploration_progress(const struct exploration *exploration);

/* The arrivals on the way to the current state, the last first, at most `room`. Return how many
 * there are. */
size_t exploration_way(const struct exploration *exploration, struct arrival *arrivals,
		       size_t room);

#endif
