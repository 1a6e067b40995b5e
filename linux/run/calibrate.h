/* SPDX-License-Identifier: MIT */
#ifndef RUN_CALIBRATE_H
#define RUN_CALIBRATE_H

#include "record.h"
#include "spin.h"

/* How fast the caller's CPU works, and how well a nominal time is kept. Call it at a high
 * priority, pinned; it takes about 0.2 s. */
__attribute__((warn_unused_result)) struct spin calibrate(struct cpu_record *cpu);

#endif
