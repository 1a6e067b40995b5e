/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SERVERS_HOG_H
#define BENCH_SERVERS_HOG_H

/* A task that uses all budget of its server until BENCH has seen that. */
#include <stdbool.h>
#include <stdint.h>

enum { SHORT_PERIOD_NS = 20000 }; /* as in system.toml */

struct hog {
	volatile bool ended; /* BENCH asks for the end; false: HOG has ended */
	volatile uint64_t ended_at;
};
extern struct hog hog;

#endif
