/* SPDX-License-Identifier: MIT */
#ifndef RUN_GAPS_H
#define RUN_GAPS_H

/* A time in which a thread had no processor. Arrays of gaps are ascending and disjoint. */
#include <stddef.h>
#include <stdint.h>

struct gap {
	int64_t start_ns;
	int64_t length_ns;
};

/* The most time that gaps take from any window of that length. */
int64_t most_in_window(const struct gap *gaps, size_t count, int64_t window_ns);

#endif
