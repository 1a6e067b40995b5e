/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_SET_H
#define BENCH_CPMD_SET_H

/*
 * A working set, and passes through it: each reads all words of all lines once, in the same order,
 * and writes the same words. The lines come in a random order that they hold themselves, each the
 * place of the next one: so no pass knows a line before it has read the one in front of it.
 */
#include <stddef.h>
#include <stdint.h>

enum { LINE_BYTES = 64, LINE_WORDS = LINE_BYTES / 8, CHUNK_LINES = 64 };

struct line {
	_Alignas(LINE_BYTES) volatile uint64_t words[LINE_WORDS]; /* the first: the next line */
};

struct set {
	size_t line_count;
	uint64_t write_every; /* each so many words one is written; 0: none */
	struct line *lines;
};

/* How long a pass took, and the slowest CHUNK_LINES of it. */
struct pass {
	int64_t time_ns;
	int64_t chunk_ns;
};

/* Mapped in pages of the usual size, and filled. 0 or an errno value. */
int make_set(struct set *set, size_t bytes, uint64_t write_every);

struct pass pass_through(const struct set *set);

#endif
