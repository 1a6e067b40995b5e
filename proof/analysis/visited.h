/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_VISITED_H
#define ANALYSIS_VISITED_H

/* A hash table of the states that were seen, each with a value. */
#include <stdbool.h>
#include <stdint.h>

struct key {
	uint64_t low; /* never 0 */
	uint64_t high;
};

struct slot {
	uint32_t hash;
	uint32_t number; /* of the state, from 1; 0: the entry is free */
};

/* The hash table is as small as its states allow, so that a processor's caches hold it. */
struct visited {
	unsigned limit; /* most states that the table may hold */
	unsigned used;
	struct key *keys; /* in the order of their insertion */
	uint16_t *values;
	uint32_t mask;
	struct slot *slots;
};

bool visited_create(struct visited *visited, unsigned limit);
void visited_destroy(struct visited *visited);
void visited_clear(struct visited *visited);

/* Returns the value of a key; a new key gets value 0. Returns NULL if a new key finds no room. */
uint16_t *visited_find(struct visited *visited, struct key key, bool *is_new);

#endif
