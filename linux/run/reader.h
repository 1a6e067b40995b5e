/* SPDX-License-Identifier: MIT */
#ifndef RUN_READER_H
#define RUN_READER_H

/*
 * The shared state of the plan's readers. Each reader takes the rest of one statement. False: a
 * message says why.
 */
#include "plan.h"
#include "words.h"

struct reader {
	struct words words;
	struct plan *plan;
	struct task *task;	    /* the task being described, or NULL */
	size_t held[PLF_DEPTH_MAX]; /* its open sections, last on top */
	size_t depth;
	bool is_complete;
};

struct statement {
	const char *name;
	bool (*read)(struct reader *reader);
};

/* The statement of that name; NULL: there is none. A table ends with an empty element. */
const struct statement *find_statement(const struct statement *table, const char *name);

/* The statements of a task: reservation, run, lock, unlock, sleep and arrivals. */
extern const struct statement body_statements[];

/* End the description of a task. No lock may be held. */
__attribute__((warn_unused_result)) bool end_body(struct reader *reader);

/* Read a time, the last word of a statement. */
__attribute__((warn_unused_result)) bool read_time(struct words *words, int64_t *time);

/* Returns the array, with room for another element. */
void *with_room(void *array, size_t count, size_t *room, size_t size);

#endif
