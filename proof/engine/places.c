/* SPDX-License-Identifier: MIT */
#include "places.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FREE = -1, FIRST_SIZE = 64, FIRST_ROOM = 8 };

struct entry {
	uint32_t key; /* the moment's number + 1; 0: free */
	uint32_t known;
};

struct room {
	struct entry *entries;
	uint32_t count, size;
};

static uint64_t mixed(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15;
	return key ^ key >> 32;
}

const int32_t *place_at(const struct places *places, int32_t number)
{
	return (int32_t *)places->own.at + (size_t)number * places->actors;
}

/* The place's index in the table, or the index of a free entry for it. */
static size_t slot_of(const struct places *places, const int32_t *own)
{
	size_t bytes = places->actors * sizeof *own;
	uint64_t hash = 0;
	size_t slot;

	for (size_t i = 0; i < places->actors; i++)
		hash = mixed(hash ^ (uint32_t)own[i]);
	slot = hash & (places->size - 1);
	while (places->numbers[slot] != FREE &&
	       memcmp(place_at(places, places->numbers[slot]), own, bytes) != 0)
		slot = (slot + 1) & (places->size - 1);
	return slot;
}

static void widen(struct places *places)
{
	size_t size = places->size == 0 ? FIRST_SIZE : 2 * places->size;
	int32_t *numbers = malloc(size * sizeof *numbers);

	if (numbers == NULL)
		longjmp(*places->way_out, NO_MEMORY);
	free(places->numbers);
	for (size_t i = 0; i < size; i++)
		numbers[i] = FREE;
	places->numbers = numbers;
	places->size = size;
	for (size_t i = 0; i < places->rooms.count; i++)
		numbers[slot_of(places, place_at(places, (int32_t)i))] = (int32_t)i;
}

int32_t place_number(struct places *places, const int32_t *own)
{
	size_t bytes = places->actors * sizeof *own;
	size_t slot;

	if (2 * places->rooms.count >= places->size)
		widen(places);
	slot = slot_of(places, own);
	if (places->numbers[slot] == FREE) {
		struct room *room;

		memcpy(add(&places->own, bytes, *places->way_out), own, bytes);
		room = add(&places->rooms, sizeof *room, *places->way_out);
		*room = (struct room) { .count = 0 };
		places->numbers[slot] = (int32_t)(places->rooms.count - 1);
	}
	return places->numbers[slot];
}

static struct entry *entry_of(const struct room *room, uint32_t key)
{
	uint32_t slot = (uint32_t)mixed(key) & (room->size - 1);

	while (room->entries[slot].key != 0 && room->entries[slot].key != key)
		slot = (slot + 1) & (room->size - 1);
	return &room->entries[slot];
}

static void widen_room(const struct places *places, struct room *room)
{
	struct room wider = { .count = room->count };

	wider.size = room->size == 0 ? FIRST_ROOM : 2 * room->size;
	wider.entries = calloc(wider.size, sizeof *wider.entries);
	if (wider.entries == NULL)
		longjmp(*places->way_out, NO_MEMORY);
	for (uint32_t i = 0; i < room->size; i++) {
		if (room->entries[i].key != 0)
			*entry_of(&wider, room->entries[i].key) = room->entries[i];
	}
	free(room->entries);
	*room = wider;
}

uint32_t *known_of(struct places *places, int32_t place, int32_t moment)
{
	struct room *room = (struct room *)places->rooms.at + place;
	struct entry *entry;

	if (4 * (room->count + 1) > 3 * room->size)
		widen_room(places, room);
	entry = entry_of(room, (uint32_t)moment + 1);
	if (entry->key == 0) {
		entry->key = (uint32_t)moment + 1;
		room->count++;
	}
	return &entry->known;
}

void places_free(struct places *places)
{
	for (size_t i = 0; i < places->rooms.count; i++)
		free(((struct room *)places->rooms.at)[i].entries);
	free(places->rooms.at);
	free(places->own.at);
	free(places->numbers);
}
