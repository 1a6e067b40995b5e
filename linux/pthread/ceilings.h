/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_CEILINGS_H
#define PLF_PTHREAD_CEILINGS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The learned ceilings: a file of lines `module offset order ceiling`, blanks
 * between, # begins a comment. In the place of a ceiling the word `inherit` makes a plain mutex one
 * of inheritance. The offset is that of the call that makes the mutex, or of the mutex itself, a
 * variable of the module: then the order is 1 if a call makes it, else 0. Of order 0 it may also be
 * that of the call that locks it first. `offset/path` is of a call by that path alone, see
 * path.h. A mutex that the program gave a name has the module `name:NAME`, and the offset 0. Read
 * once, kept in a table that is mapped, not allocated. A wrong line is reported (the first of them)
 * and ignored.
 */
enum {
	PLF_CEILINGS = 4096,
	PLF_TO_INHERIT = 100, /* in the place of a ceiling */
	PLF_ORDER_NONE = 0,
	PLF_ORDER_VARIABLE = 1,
};

/* There are learned ceilings: ask plf_site_order() and plf_ceiling_for() at each init. */
extern bool plf_ceilings_known __attribute__((visibility("hidden")));

/* Some are of no order: ask at each first lock of a mutex that no init made, too. */
extern bool plf_ceilings_at_locks __attribute__((visibility("hidden")));

/* `path` is the value of PLAFOND_CEILINGS; NULL or empty: none. Once, before threads. */
void plf_ceilings_start(const char *path);

/*
 * The learned ceiling, 1 to 99, of the mutex with that path (0: any) and order there, or
 * PLF_TO_INHERIT, or 0.
 */
int plf_ceiling_for(const void *place, uint64_t path, uint32_t order);

/* The same, by the name that the program gave it. */
int plf_ceiling_for_name(const char *name);

/* A mutex of inheritance was made, or any that has a ceiling (`has_ceiling`). */
void plf_ceilings_count(bool has_ceiling);

/* By one path that call made more mutexes than have a ceiling. */
void plf_ceilings_one_too_many(const void *call_site);

/*
 * The process ends. Warn if inherit mutexes were made, and none that has a ceiling, or if one was
 * made too many. Safe in a signal handler.
 */
void plf_ceilings_end(void);
void plf_ceilings_after_fork(void);

#endif
