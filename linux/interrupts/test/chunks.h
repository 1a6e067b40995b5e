/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TEST_CHUNKS_H
#define INTERRUPTS_TEST_CHUNKS_H

/* A reader of recordings that shares nothing with their writer. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEADER_PAGE = 1, FORMAT, PAGE, STATS, THREADS, META, KINDS };

struct chunk {
	uint32_t kind;
	uint32_t cpu;
	uint64_t bytes;
	char *payload; /* and a '\0' behind it */
};

struct chunks {
	size_t count;
	struct chunk *each;
};

/* Fails the test unless the file is whole. */
struct chunks read_chunks(const char *path);
void free_chunks(struct chunks *chunks);

size_t count_kind(const struct chunks *chunks, uint32_t kind);

/* The number that follows `key` in the first text of that kind with it; fails without one. */
int64_t number_in(const struct chunks *chunks, uint32_t kind, const char *key);

/* The sum of such numbers over all texts of the kind. */
int64_t sum_in(const struct chunks *chunks, uint32_t kind, const char *key);

/* Is there a text of the kind with that in it? */
bool is_text_in(const struct chunks *chunks, uint32_t kind, const char *text);

enum { ALL_CPUS = -1 };

struct events {
	int64_t all;
	int64_t switches;      /* sched_switch */
	int64_t switches_from; /* those from the thread `tid` */
	int64_t wakeups_of;    /* sched_wakeup of it */
	int64_t interrupts_of; /* irq_handler_entry of the interrupt `irq` */
	int pages_after_loss;
	uint64_t first_ns, last_ns; /* of the pages */
};

/* What the pages of a CPU, or of ALL_CPUS, hold; fails if one is not of whole events. */
struct events count_events(const struct chunks *chunks, int cpu, int tid, int irq);

#endif
