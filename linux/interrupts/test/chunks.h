/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TEST_CHUNKS_H
#define INTERRUPTS_TEST_CHUNKS_H

/* A reader of recordings that shares no code with their writer. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEADER_PAGE = 1, FORMAT, PAGE, STATS, THREADS, META, KINDS };

struct chunk {
	uint32_t kind;
	uint32_t cpu;
	uint64_t bytes;
	char *payload; /* with a '\0' at its end */
};

struct chunks {
	size_t count;
	struct chunk *each;
};

/* Read the file. Fails the test unless the file is complete. */
struct chunks read_chunks(const char *path);
void free_chunks(struct chunks *chunks);

size_t count_kind(const struct chunks *chunks, uint32_t kind);

/*
 * The number that follows `key` in the first text of that kind that has it. Fails the test without
 * such a text.
 */
int64_t number_in(const struct chunks *chunks, uint32_t kind, const char *key);

/* The sum of these numbers in all texts of the kind. */
int64_t sum_in(const struct chunks *chunks, uint32_t kind, const char *key);

/* Does a text of the kind contain that text? */
bool is_text_in(const struct chunks *chunks, uint32_t kind, const char *text);

enum { ALL_CPUS = -1 };

struct events {
	int64_t all;
	int64_t switches;      /* sched_switch */
	int64_t switches_from; /* sched_switch from the thread `tid` */
	int64_t wakeups_of;    /* sched_wakeup of the thread `tid` */
	int64_t interrupts_of; /* irq_handler_entry of the interrupt `irq` */
	int pages_after_loss;
	uint64_t first_ns, last_ns; /* of the pages */
};

/*
 * Count the events in the pages of a CPU, or of ALL_CPUS. Fails the test if a page has a part of an
 * event.
 */
struct events count_events(const struct chunks *chunks, int cpu, int tid, int irq);

#endif
