/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_VISITED_H
#define ANALYSIS_VISITED_H

/* The states that were seen, each with a value: a hash table of fixed size. */
#include <stdbool.h>
#include <stdint.h>

struct key {
	uint64_t low; /* never 0 */
	uint64_t high;
};

struct visited {
	unsigned limit; /* states at most */
	unsigned used;
	uint32_t mask;
	uint32_t *places; /* of the states, in the order in which they came */
	struct key *keys;
	uint16_t *values;
};

bool visited_create(struct visited *visited, unsigned limit);
void visited_destroy(struct visited *visited);
void visited_clear(struct visited *visited);

/* The value of a key, new ones with value 0; NULL if it is new and there is no room. */
uint16_t *visited_find(struct visited *visited, struct key key, bool *is_new);

#endif
