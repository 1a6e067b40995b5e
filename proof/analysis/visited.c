/* SPDX-License-Identifier: MIT */
#include "visited.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST 1024 /* number of slots */

/* Returns a power of two, at least twice the states. */
static uint32_t slots_for(unsigned states)
{
	uint32_t size = SMALLEST;

	while (size < 2 * states)
		size *= 2;
	return size;
}

bool visited_create(struct visited *visited, unsigned limit)
{
	*visited = (struct visited) {
		.limit = limit,
		.keys = malloc(limit * sizeof *visited->keys),
		.values = malloc(limit * sizeof *visited->values),
		.mask = SMALLEST - 1,
		.slots = calloc(slots_for(limit), sizeof *visited->slots),
	};
	if (visited->keys != NULL && visited->values != NULL && visited->slots != NULL)
		return true;
	visited_destroy(visited);
	return false;
}

void visited_destroy(struct visited *visited)
{
	free(visited->keys);
	free(visited->values);
	free(visited->slots);
}

static void clear_slots(struct visited *visited)
{
	memset(visited->slots, 0, (visited->mask + 1) * sizeof *visited->slots);
}

void visited_clear(struct visited *visited)
{
	clear_slots(visited);
	visited->mask = SMALLEST - 1;
	visited->used = 0;
}

/* Each bit of a key changes about half of the low bits, which the table uses. */
static uint32_t hash(struct key key)
{
	uint64_t both = key.low * 0x9e3779b97f4a7c15ULL ^ key.high * 0xd1342543de82ef95ULL;

	both = (both ^ both >> 32) * 0xff51afd7ed558ccdULL;
	return (uint32_t)(both >> 32);
}

static bool equal(struct key one, struct key other)
{
	return one.low == other.low && one.high == other.high;
}

static struct slot *slot_of(const struct visited *visited, struct key key, uint32_t hashed)
{
	uint32_t place = hashed & visited->mask;
	struct slot *slot = &visited->slots[place];

	while (slot->number != 0 &&
	       (slot->hash != hashed || !equal(visited->keys[slot->number - 1], key))) {
		place = (place + 1) & visited->mask;
		slot = &visited->slots[place];
	}
	return slot;
}

static void grow(struct visited *visited)
{
	clear_slots(visited);
	visited->mask = 2 * visited->mask + 1;
	for (unsigned i = 0; i < visited->used; i++) {
		uint32_t hashed = hash(visited->keys[i]);

		*slot_of(visited, visited->keys[i], hashed) = (struct slot) { hashed, i + 1 };
	}
}

static void add(struct visited *visited, struct key key, uint32_t hashed)
{
	if (2 * visited->used > visited->mask)
		grow(visited);
	visited->keys[visited->used] = key;
	visited->values[visited->used++] = 0;
	*slot_of(visited, key, hashed) = (struct slot) { hashed, visited->used };
}

uint16_t *visited_find(struct visited *visited, struct key key, bool *is_new)
{
	uint32_t hashed = hash(key), number = slot_of(visited, key, hashed)->number;

	*is_new = number == 0;
	if (*is_new) {
		if (visited->used == visited->limit)
			return NULL;
		add(visited, key, hashed);
		number = visited->used;
	}
	return &visited->values[number - 1];
}
