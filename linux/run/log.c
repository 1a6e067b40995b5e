/* SPDX-License-Identifier: MIT */
#include "log.h"

#include "../machine/clock.h"

static void store(struct log *log, struct event event)
{
	struct task_record *record = log->record;
	size_t stored = atomic_load_explicit(&record->stored, memory_order_relaxed);

	record->events[stored] = event;
	atomic_store_explicit(&record->stored, stored + 1, memory_order_release);
}

static struct event event_at(const struct log *log, int64_t time_ns, enum event_kind kind)
{
	return (struct event) { .time_ns = time_ns,
				.activation = log->activation,
				.resource = NO_RESOURCE,
				.kind = (uint16_t)kind };
}

void log_gap(struct log *log, int64_t from_ns, int64_t to_ns)
{
	if (log->record->gap_room == 0) {
		log->record->lost_gaps++;
		return;
	}
	log->record->gap_room--;
	store(log, event_at(log, from_ns, EVENT_SUSPEND));
	store(log, event_at(log, to_ns, EVENT_RESUME));
}

int64_t log_look(struct log *log)
{
	log->seen_ns = now_ns() - log->zero_ns;
	return log->seen_ns;
}

void log_look_back(struct log *log, int64_t time_ns)
{
	if (time_ns < log->seen_ns)
		log->seen_ns = time_ns;
}

void log_seen(struct log *log, int64_t time_ns)
{
	log->seen_ns = time_ns;
}

void log_activation(struct log *log, uint32_t activation)
{
	log->activation = activation;
	log->window = (struct speed_window) { 0, 0 };
}

void log_turn(struct log *log, int64_t turn_ns)
{
	struct task_record *record = log->record;
	int speed = fill_window(&log->window, turn_ns);
	uint16_t *slowest = &record->slowest[log->activation];

	if (speed == NO_SPEED)
		return;
	record->speeds.windows[speed]++;
	if (*slowest == NO_SPEED || speed < *slowest)
		*slowest = (uint16_t)speed;
}

/* It is unknown when in the interval the thread was away. Assume that the work came after that. */
int64_t log_look_after(struct log *log, int64_t expected_ns)
{
	int64_t before = log->seen_ns;
	int64_t now = log_look(log);

	if (now - before > expected_ns + GAP_NS)
		log_gap(log, before, now - expected_ns);
	return now;
}

void log_event(struct log *log, enum event_kind kind, size_t resource)
{
	struct event event = event_at(log, log->seen_ns, kind);

	event.resource = (uint16_t)resource;
	store(log, event);
}
