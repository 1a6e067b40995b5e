/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_FRAMES_RUN_H
#define PLAFOND_FRAMES_RUN_H

/*
 * The frames of one start: made by a timer, served by the interrupt thread.
 *
 * Invariants, under `lock`:
 *  I1  made = lost + taken + pending, pending <= ring_size.
 *  I2  The thread is woken when pending becomes 1, and serves until it is 0.
 *  I3  Entry taken % ring_size of the ring is the oldest frame; only the thread takes.
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
	u32 *ring;		     /* the numbers of frames that are pending */
	u32 *served;		     /* the numbers of frames that were taken, in order */
	struct frames_frame *frames; /* by number */
};

/* How long a unit of work takes here: once, before any run. */
void frames_calibrate(void);

/* Checked whole. An error pointer: -EINVAL, -ENOMEM. */
struct frames_run *frames_run_make(const struct frames_start *asked, unsigned int irq);

/* The timer runs from then on. Once. */
void frames_run_begin(struct frames_run *run);

/* Returns when no interrupt comes any more and the thread has left; frees it. */
void frames_run_end(struct frames_run *run);

/* The interrupt, in hard interrupt context, and its thread. */
irqreturn_t frames_run_interrupt(struct frames_run *run);
irqreturn_t frames_run_serve(struct frames_run *run);

#endif
