/* SPDX-License-Identifier: MIT */
#ifndef RUN_LISTENER_H
#define RUN_LISTENER_H

/*
 * A SCHED_FIFO thread, in a supervised child, that only looks at the clock. A gap between two looks
 * is time in which another program had its CPU, or the machine took it.
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

/* A thread above the listener slept until due_ns, and ran at ran_ns. */
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
	struct speeds speeds;	   /* of the witness */
	struct gap gaps[GAPS_MAX]; /* CLOCK_MONOTONIC */
	struct wake_up wake_ups[WAKE_UPS_MAX];
};

/* Become SCHED_FIFO at `priority` on the listener's CPU. If that is denied, end the child. */
void stand_on_cpu(const struct listener *listener, int priority);

/* Record the gaps, for the listener's duration. */
void listen_on_cpu(struct listener *listener);

/*
 * Look at the clock for the listener's duration, in bursts with rests in between. `look` goes on
 * until end_ns. The rests are needed because the kernel's limit for SCHED_FIFO, by default 950 of
 * 1000 ms, stops a thread that spins all the time. That is no noise.
 */
void in_bursts(const struct listener *listener, void (*look)(void *state, int64_t end_ns),
	       void *state);

void add_gap(struct listener *listener, int64_t start_ns, int64_t length_ns);

/*
 * Run `body` with a listener on that CPU, for that number of seconds, in a child whose memory is
 * locked. Then have `print` write the results to stdout. Returns the exit status.
 */
__attribute__((warn_unused_result)) int run_listener(const char *cpu, const char *seconds,
						     void (*body)(struct listener *listener),
						     void (*print)(struct listener *listener));

#endif
