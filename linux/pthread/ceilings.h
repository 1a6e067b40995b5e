/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_CEILINGS_H
#define PLF_PTHREAD_CEILINGS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The file of learned ceilings. A line is `module offset order ceiling`, separated by blanks; #
 * begins a comment. The word `inherit` instead of a ceiling makes a plain mutex inherit priorities.
 * The offset is the place of one of these in the module:
 *
 *  - the mutex itself, if it is a variable: the order is 1 if a call initialises it, else 0
 *  - the call that initialises the mutex: the order counts the mutexes of this call from 1
 *  - the call that first locks a mutex that no call initialises: the order is 0
 *
 * `offset/path` stands for calls by that path only, see path.h. A mutex with a name from the
 * program has the module `name:NAME`, the offset 0 and the order 1. The file is read once, into a
 * table that is mapped, not allocated. Wrong lines are ignored; the first of them is reported.
 */
enum {
	PLF_CEILINGS = 4096,
	PLF_TO_INHERIT = 100, /* instead of a ceiling */
	PLF_ORDER_NONE = 0,
	PLF_ORDER_VARIABLE = 1,
};

/* There are learned ceilings: ask plf_site_order() and plf_ceiling_for() at each init. */
extern bool plf_ceilings_known __attribute__((visibility("hidden")));

/* Some of them have order 0: ask also at the first lock of each mutex that no call initialised. */
extern bool plf_ceilings_at_locks __attribute__((visibility("hidden")));

/* `path` is the value of PLAFOND_CEILINGS; NULL or empty: none. Call once, before threads. */
void plf_ceilings_start(const char *path);

/*
 * The choice for the mutex with that path (0: any) and order at that place: its learned ceiling, 1
 * to 99, or PLF_TO_INHERIT; 0: none.
 */
int plf_ceiling_for(const void *place, uint64_t path, uint32_t order);

/* The choice for the mutex that has this name from the program. */
int plf_ceiling_for_name(const char *name);

/* An inherit mutex was made, or a mutex with a learned choice (`has_ceiling`). */
void plf_ceilings_count(bool has_ceiling);

/* That call made more mutexes by one path than have learned choices. */
void plf_ceilings_one_too_many(const void *call_site);

/*
 * The process ends. Warn if inherit mutexes were made but no mutex had a learned choice, or if a
 * call made too many. Safe in a signal handler.
 */
void plf_ceilings_end(void);
void plf_ceilings_after_fork(void);

#endif
