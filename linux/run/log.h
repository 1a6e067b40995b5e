/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOG_H
#define RUN_LOG_H

/*
 * A thread's log of its own events. When it looks at the clock, it knows how long it should have
 * taken since its last look. If it took much longer, it was away (preempted, or the machine was),
 * and that becomes a gap.
 */
#include "../machine/clock.h"
#include "pace.h"
#include "record.h"
#include "speeds.h"

struct log {
	struct task_record *record;
	int64_t zero_ns;
	int64_t seen_ns; /* the last look, after time 0 */
	uint32_t activation;
	struct speed_window window;
};

/* Look at the clock after a sleep or a wait for a lock: any time may have passed. */
int64_t log_look(struct log *log);

/*
 * If time_ns is before the last look, take it as the last look. Then the next look after it notes
 * the time in between as a gap.
 */
void log_look_back(struct log *log, int64_t time_ns);

/* Look at the clock after work of `expected_ns`. If more time has passed, note a gap. */
int64_t log_look_after(struct log *log, int64_t expected_ns);

/* Take a look that another thread made for this thread. */
void log_seen(struct log *log, int64_t time_ns);

/* An activation begins. */
void log_activation(struct log *log, uint32_t activation);

/* A turn of work took turn_ns. */
void log_turn(struct log *log, int64_t turn_ns);

/* The thread was away between these times. */
void log_gap(struct log *log, int64_t from_ns, int64_t to_ns);

/* Store an event at the time of the last look. */
void log_event(struct log *log, enum event_kind kind, size_t resource);

#endif
