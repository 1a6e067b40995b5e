/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_CEILINGS_H
#define PLF_PTHREAD_CEILINGS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The learned ceilings: a file of lines `module offset order ceiling`, blanks
 * between, # begins a comment. Read once, kept in a table that is mapped, not
 * allocated. A wrong line is reported (the first of them) and ignored.
 */
enum { PLF_CEILINGS = 4096 };

/* There are learned ceilings: ask plf_site_order() and plf_ceiling_for() at each init. */
extern bool plf_ceilings_known __attribute__((visibility("hidden")));

/* `path` is the value of PLAFOND_CEILINGS; NULL or empty: none. Once, before threads. */
void plf_ceilings_start(const char *path);

/* The learned ceiling, 1 to 99, of the mutex with that order at that site, or 0. */
int plf_ceiling_for(const void *call_site, uint32_t order);

/* A mutex of inheritance was made, or any that has a ceiling (`has_ceiling`). */
void plf_ceilings_count(bool has_ceiling);

/*
 * The process ends. Warn if inherit mutexes were made, and none that has a ceiling. Safe in a
 * signal handler.
 */
void plf_ceilings_end(void);
void plf_ceilings_after_fork(void);

#endif
