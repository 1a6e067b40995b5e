/* SPDX-License-Identifier: MIT */
#include "numbered.h"

#include <stdlib.h>
#include <string.h>

enum { FREE = -1, FIRST_SIZE = 256 };

struct value value_at(const struct numbered *numbered, int32_t number)
{
	const size_t *ends = numbered->ends.at;
	size_t begin = number == 0 ? 0 : ends[number - 1];

	return (struct value) { (const char *)numbered->bytes.at + begin, ends[number] - begin };
}

static uint64_t hash(struct value value)
{
	const char *at = value.at;
	uint64_t sum = value.length;

	for (size_t done = 0; done < value.length; done += sizeof(uint64_t)) {
		size_t left = value.length - done;
		uint64_t word = 0;

		memcpy(&word, at + done, left < sizeof word ? left : sizeof word);
		sum = (sum ^ word) * 0x9e3779b97f4a7c15;
		sum ^= sum >> 32;
	}
	return sum;
}

/* The value's index in the table, or the index of a free entry for it. */
static size_t slot_of(const struct numbered *numbered, struct value value)
{
	size_t slot = hash(value) & (numbered->size - 1);

	for (int32_t number; (number = numbered->numbers[slot]) != FREE;
	     slot = (slot + 1) & (numbered->size - 1)) {
		struct value other = value_at(numbered, number);

		if (other.length == value.length && memcmp(other.at, value.at, value.length) == 0)
			break;
	}
	return slot;
}

static void widen(struct numbered *numbered, jmp_buf way_out)
{
	size_t size = numbered->size == 0 ? FIRST_SIZE : 2 * numbered->size;
	int32_t *numbers = malloc(size * sizeof *numbers);

	if (numbers == NULL)
		longjmp(way_out, NO_MEMORY);
	free(numbered->numbers);
	for (size_t i = 0; i < size; i++)
		numbers[i] = FREE;
	numbered->numbers = numbers;
	numbered->size = size;
	for (size_t i = 0; i < numbered->ends.count; i++)
		numbers[slot_of(numbered, value_at(numbered, (int32_t)i))] = (int32_t)i;
}

int32_t number_of(struct numbered *numbered, struct value value, jmp_buf way_out)
{
	size_t slot;
	void *room;

	if (2 * numbered->ends.count >= numbered->size)
		widen(numbered, way_out);
	slot = slot_of(numbered, value);
	if (numbered->numbers[slot] != FREE)
		return numbered->numbers[slot];
	room = add_many(&numbered->bytes, value.length, way_out);
	*(size_t *)add(&numbered->ends, sizeof(size_t), way_out) = numbered->bytes.count;
	if (value.length > 0)
		memcpy(room, value.at, value.length);
	return numbered->numbers[slot] = (int32_t)numbered->ends.count - 1;
}

void numbered_free(struct numbered *numbered)
{
	free(numbered->bytes.at);
	free(numbered->ends.at);
	free(numbered->numbers);
}
