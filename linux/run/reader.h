/* SPDX-License-Identifier: MIT */
#ifndef RUN_READER_H
#define RUN_READER_H

/* The shared state of a plan's readers: each takes the rest of one statement. False: it said why.
 */
#include "plan.h"
#include "words.h"

struct reader {
	struct words words;
	struct plan *plan;
	struct task *task;	    /* the one being described, or NULL */
	size_t held[PLF_DEPTH_MAX]; /* its open sections, last on top */
	size_t depth;
	bool is_complete;
};

struct statement {
	const char *name;
	bool (*read)(struct reader *reader);
};

/* NULL: no such statement. A table ends with an empty element. */
const struct statement *find_statement(const struct statement *table, const char *name);

/* Those of a task: its reservation, run, lock, unlock, sleep and arrivals. */
extern const struct statement body_statements[];

/* The description of a task is over: nothing is locked any more. */
__attribute__((warn_unused_result)) bool end_body(struct reader *reader);

/* The last word of a statement. */
__attribute__((warn_unused_result)) bool read_time(struct words *words, int64_t *time);

/* The array, with room for one element more. */
void *with_room(void *array, size_t count, size_t *room, size_t size);

#endif
