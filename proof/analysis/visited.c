/* SPDX-License-Identifier: MIT */
#include "visited.h"

#include <stdlib.h>

bool visited_create(struct visited *visited, unsigned limit)
{
	uint32_t size = 1;

	while (size < 2 * limit)
		size *= 2;
	*visited = (struct visited) {
		.limit = limit,
		.mask = size - 1,
		.places = malloc(limit * sizeof *visited->places),
		.keys = calloc(size, sizeof *visited->keys),
		.values = malloc(size * sizeof *visited->values),
	};
	if (visited->places != NULL && visited->keys != NULL && visited->values != NULL)
		return true;
	visited_destroy(visited);
	return false;
}

void visited_destroy(struct visited *visited)
{
	free(visited->places);
	free(visited->keys);
	free(visited->values);
}

void visited_clear(struct visited *visited)
{
	for (unsigned i = 0; i < visited->used; i++)
		visited->keys[visited->places[i]].low = 0;
	visited->used = 0;
}

static uint32_t hash(struct key key)
{
	uint64_t both = key.low ^ key.high * 0xd1342543de82ef95ULL;

	both = (both ^ both >> 31) * 0x9e3779b97f4a7c15ULL;
	return (uint32_t)(both >> 32 ^ both >> 57);
}

static bool equal(struct key one, struct key other)
{
	return one.low == other.low && one.high == other.high;
}

uint16_t *visited_find(struct visited *visited, struct key key, bool *is_new)
{
	uint32_t place = hash(key) & visited->mask;

	while (visited->keys[place].low != 0 && !equal(visited->keys[place], key))
		place = (place + 1) & visited->mask;
	*is_new = visited->keys[place].low == 0;
	if (*is_new) {
		if (visited->used == visited->limit)
			return NULL;
		visited->keys[place] = key;
		visited->values[place] = 0;
		visited->places[visited->used++] = place;
	}
	return &visited->values[place];
}
