/* SPDX-License-Identifier: MIT */
#ifndef PTHREAD_INSIGHT_H
#define PTHREAD_INSIGHT_H

/*
 * The private data of the drop-in, found by the symbol table of the shipped library. The proof
 * checks it after each run, and looks for the code that restarts sequences.
 */
#include "member.h"
#include "stats.h"

/* Must be called before the other functions. Returns 0 or an errno value; ENOENT: the library is
 * not loaded. */
int insight_setup(void);

/* Data of the calling thread. */
struct plf_member *insight_member(void);
struct plf_stats_counts *insight_counts(void);

/* Whether the address is in the code that restarts the sequences of another CPU. */
bool insight_is_restarting(const uint8_t *address);

/* Returns NULL if there is no arena yet. */
struct plf_arena *insight_arena(void);

#endif
