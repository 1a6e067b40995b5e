/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

/* The counts, a row for each entry of `measured`; zeros: the entry was left out. */
#include "measure.h"

extern uint64_t samples[MOST_MEASURED][ROUNDS];

#endif
