/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_FRAMES_RUN_H
#define PLAFOND_FRAMES_RUN_H

/*
 * The frames of a run: a timer makes them, and the interrupt thread serves them.
 *
 * Invariants, under `lock`:
 *  I1  made = lost + taken + pending, and pending <= ring_size.
 *  I2  The thread is woken when pending becomes 1, and serves until pending is 0.
 *  I3  Entry taken % ring_size of the ring is the oldest frame. Only the thread takes frames.
 */
#include "frames.h"

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

struct frames_run {
	struct frames_start asked;
	unsigned int irq;
	struct hrtimer timer;
	s64 begin_ns;
	struct completion over;
	wait_queue_head_t readers;
	bool is_ending;

	raw_spinlock_t lock;
	u32 made;
	u32 lost;
	u32 taken;
	u32 pending;
	u32 backlog_max;
	u32 *ring;		     /* numbers of the pending frames */
	u32 *served;		     /* numbers of the taken frames, in order */
	struct frames_frame *frames; /* by number */
};

/* Measure how long a unit of work takes here. Call it once, before any run. */
void frames_calibrate(void);

/* Make a run, after a check of all numbers. Returns an error pointer for -EINVAL and -ENOMEM. */
struct frames_run *frames_run_make(const struct frames_start *asked, unsigned int irq);

/* Start the timer of a run. Call it once. */
void frames_run_begin(struct frames_run *run);

/* End and free the run. Returns when no interrupt comes any more, and the thread has left. */
void frames_run_end(struct frames_run *run);

/* The interrupt, in hard interrupt context, and its thread. */
irqreturn_t frames_run_interrupt(struct frames_run *run);
irqreturn_t frames_run_serve(struct frames_run *run);

#endif
