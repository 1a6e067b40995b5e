/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SHARING_H
#define BENCH_SHARING_H

/* Of system.toml: X, and of TIGHT the time between the end of its budget and the next one. */
enum { HOLD_NS = 10000, TIGHT_HOLD_NS = 15000, TIGHT_REST_NS = 10000 };

#endif
