/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOG_H
#define RUN_LOG_H

/*
 * One thread writes down what happens to it. Whenever it looks at the clock it
 * knows how long it should have taken since its last look; if it took much longer,
 * it was away (preempted, or the machine was), which becomes a gap.
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

/* Look at the clock, where any time may have passed: it slept, or waited for a lock. */
int64_t log_look(struct log *log);

/* Go on as if the last look had been at that time, where it is before it: the next look after
 * notes the time in between as a gap. */
void log_look_back(struct log *log, int64_t time_ns);

/* Look at the clock, where the thread worked for `expected_ns` and notes a gap. */
int64_t log_look_after(struct log *log, int64_t expected_ns);

/* Another thread looked, in this thread's place. */
void log_seen(struct log *log, int64_t time_ns);

/* An activation begins. */
void log_activation(struct log *log, uint32_t activation);

/* A turn of work took that long. */
void log_turn(struct log *log, int64_t turn_ns);

/* The thread was away. */
void log_gap(struct log *log, int64_t from_ns, int64_t to_ns);

/* Store an event at the time of the last look. */
void log_event(struct log *log, enum event_kind kind, size_t resource);

#endif
