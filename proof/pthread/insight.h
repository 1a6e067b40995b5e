/* SPDX-License-Identifier: MIT */
#ifndef PTHREAD_INSIGHT_H
#define PTHREAD_INSIGHT_H

/*
 * What the drop-in keeps to itself, found by the symbol table of the library as it is
 * shipped: the proof looks at it after each run, and where it restarts sequences.
 */
#include "member.h"
#include "stats.h"

/* Once, before any other. Returns 0, or an errno value: ENOENT, the library is not there. */
int insight_setup(void);

/* Of the calling thread. */
struct plf_member *insight_member(void);
struct plf_stats_counts *insight_counts(void);

/* Is it where the library restarts the sequences of another CPU? */
bool insight_is_restarting(const uint8_t *address);

/* NULL before there is one. */
struct plf_arena *insight_arena(void);

#endif
