/* SPDX-License-Identifier: MIT */
/* What explore.py calls. */
#ifndef PLAFOND_PROOF_ENGINE_H
#define PLAFOND_PROOF_ENGINE_H

#include "moments.h"

/* How an exploration goes. */
struct progress {
	int64_t boundaries, pairs, states;
};

/* An arrival: so many boundaries after the one before, and the actor. */
struct arrival {
	int32_t boundary, actor;
};

struct exploration;

struct moments *moments_create(struct system *system);
void moments_destroy(struct moments *moments);

/* Of `actors` actors; `longest` and `most` as in explore.py, `most` NONE: any number. */
struct exploration *exploration_create(struct moments *moments, int actors, int longest, int most);
void exploration_destroy(struct exploration *exploration);

/* To the end, from the actors' own states and the rest. */
enum outcome explore(struct exploration *exploration, const int32_t *own, int shared, int system);

struct progress exploration_progress(const struct exploration *exploration);

/* The way to where it is, the last arrival first, as far as there is room; how many they are. */
size_t exploration_way(const struct exploration *exploration, struct arrival *arrivals,
		       size_t room);

#endif
