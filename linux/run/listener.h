/* SPDX-License-Identifier: MIT */
#ifndef RUN_LISTENER_H
#define RUN_LISTENER_H

/*
 * A SCHED_FIFO thread that only looks at the clock, in a supervised child: a gap between two looks
 * is time in which something else had its CPU.
 */
#include "gaps.h"
#include "speeds.h"
#include "supervise.h"

#include <stddef.h>
#include <stdint.h>

enum {
	GAPS_MAX = 1 << 20,
	WAKE_UPS_MAX = 1 << 14,
	LISTENER_PRIORITY = 1,
};

/* A thread above the listener slept until a time, and ran at another one. */
struct wake_up {
	int64_t due_ns, ran_ns; /* CLOCK_MONOTONIC */
};

struct listener {
	deadline_t deadline;
	int cpu;
	int64_t duration_ns;
	size_t gap_count;
	uint64_t lost_gaps;
	size_t wake_up_count;
	struct speeds speeds;	   /* of a witness */
	struct gap gaps[GAPS_MAX]; /* CLOCK_MONOTONIC */
	struct wake_up wake_ups[WAKE_UPS_MAX];
};

/* Become SCHED_FIFO at `priority` on the listener's CPU; end the child where that is denied. */
void stand_on_cpu(const struct listener *listener, int priority);

/* Listen for its duration. */
void listen_on_cpu(struct listener *listener);

/*
 * Look at the clock for its duration, in bursts with rests in between: a thread that spins on and
 * on is stopped by the kernel's limit for SCHED_FIFO, 950 of 1000 ms by default, which is no noise.
 * `look` goes on until a time.
 */
void in_bursts(const struct listener *listener, void (*look)(void *state, int64_t end_ns),
	       void *state);

void add_gap(struct listener *listener, int64_t start_ns, int64_t length_ns);

/*
 * Run `body` with a listener on a CPU, for a number of seconds, in a child whose memory is locked;
 * then `print` what it left on stdout. Return the exit status.
 */
__attribute__((warn_unused_result)) int run_listener(const char *cpu, const char *seconds,
						     void (*body)(struct listener *listener),
						     void (*print)(struct listener *listener));

#endif
