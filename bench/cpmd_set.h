/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_SET_H
#define BENCH_CPMD_SET_H

/*
 * A working set, and passes through it. Each pass reads all words of all lines once, in the same
 * order, and writes the same words. Each line holds the place of the next line, in a random order.
 * So a pass does not know a line before it has read the line before.
 */
#include <stddef.h>
#include <stdint.h>

enum { LINE_BYTES = 64, LINE_WORDS = LINE_BYTES / 8, CHUNK_LINES = 64 };

struct line {
	_Alignas(LINE_BYTES) volatile uint64_t words[LINE_WORDS]; /* words[0]: the next line */
};

struct set {
	size_t line_count;
	uint64_t write_every; /* each write_every-th word is written; 0: no word */
	struct line *lines;
};

/* The time of a pass, and of its slowest CHUNK_LINES lines. */
struct pass {
	int64_t time_ns;
	int64_t chunk_ns;
};

/* Map the set in pages of the usual size, and fill it. 0 or an errno value. */
int make_set(struct set *set, size_t bytes, uint64_t write_every);

struct pass pass_through(const struct set *set);

#endif
