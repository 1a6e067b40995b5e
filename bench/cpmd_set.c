/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cpmd_set.h"

#include "../linux/machine/clock.h"

#include <errno.h>
#include <sys/mman.h>

/* Xorshift (Marsaglia 2003): the same order in each run. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A single cycle of all lines (Sattolo 1986). */
static void put_into_cycle(struct line *lines, size_t count)
{
	uint64_t state = UINT64_C(88172645463325252);

	for (size_t i = 0; i < count; i++)
		lines[i].words[0] = i;
	for (size_t i = count - 1; i > 0; i--) {
		size_t other = next_random(&state) % i;
		uint64_t place = lines[i].words[0];

		lines[i].words[0] = lines[other].words[0];
		lines[other].words[0] = place;
	}
}

int make_set(struct set *set, size_t bytes, uint64_t write_every)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return errno;
	/* A kernel without huge pages returns EINVAL, and needs no advice. */
	if (madvise(memory, bytes, MADV_NOHUGEPAGE) != 0 && errno != EINVAL)
		return errno;
	*set = (struct set) {
		.line_count = bytes / LINE_BYTES,
		.write_every = write_every,
		.lines = memory,
	};
	put_into_cycle(set->lines, set->line_count);
	return 0;
}

/* The position of a pass. */
struct walk {
	uint64_t place;
	uint64_t words; /* words since the last write */
};

/* A word is written with its value, because words[0] of a line is the index of the next line. */
static inline uint64_t touch(const struct set *set, struct walk *walk, volatile uint64_t *word)
{
	uint64_t value = *word;

	if (++walk->words == set->write_every) {
		walk->words = 0;
		*word = value;
	}
	return value;
}

static void walk_on(const struct set *set, struct walk *walk, size_t line_count)
{
	for (size_t i = 0; i < line_count; i++) {
		struct line *line = &set->lines[walk->place];
		uint64_t next = touch(set, walk, &line->words[0]);

		for (size_t word = 1; word < LINE_WORDS; word++)
			touch(set, walk, &line->words[word]);
		walk->place = next;
	}
}

struct pass pass_through(const struct set *set)
{
	struct walk walk = { 0 };
	struct pass pass = { 0 };
	int64_t begin_ns = now_ns();
	int64_t before_ns = begin_ns;

	for (size_t done = 0; done < set->line_count; done += CHUNK_LINES) {
		size_t left = set->line_count - done;
		int64_t after_ns;

		walk_on(set, &walk, left < CHUNK_LINES ? left : CHUNK_LINES);
		after_ns = now_ns();
		if (after_ns - before_ns > pass.chunk_ns)
			pass.chunk_ns = after_ns - before_ns;
		before_ns = after_ns;
	}
	pass.time_ns = before_ns - begin_ns;
	return pass;
}
