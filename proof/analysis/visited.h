/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_VISITED_H
#define ANALYSIS_VISITED_H

/* The states that were seen, each with a value: a hash table. */
#include <stdbool.h>
#include <stdint.h>

struct key {
	uint64_t low; /* never 0 */
	uint64_t high;
};

/* Where a state is, by its hash. */
struct slot {
	uint32_t hash;
	uint32_t number; /* of the state, from 1 on; 0: none is here */
};

/* The table is as small as the states that are in it allow: then a processor's caches hold it. */
struct visited {
	unsigned limit; /* states at most */
	unsigned used;
	struct key *keys; /* in the order in which they came */
	uint16_t *values;
	uint32_t mask;
	struct slot *slots;
};

bool visited_create(struct visited *visited, unsigned limit);
void visited_destroy(struct visited *visited);
void visited_clear(struct visited *visited);

/* The value of a key, new ones with value 0; NULL if it is new and there is no room. */
uint16_t *visited_find(struct visited *visited, struct key key, bool *is_new);

#endif
