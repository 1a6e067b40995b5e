/* SPDX-License-Identifier: MIT */
#ifndef RUN_SPEEDS_H
#define RUN_SPEEDS_H

/*
 * How fast a loop turns, in each stretch of SPEED_WINDOW_NS of counted time. A virtual processor
 * may be many times slower for milliseconds, although no single difference of the clock is long.
 */
#include <stdint.h>
#include <stdio.h>

enum {
	SPEED_WINDOW_NS = 10000,
	SPEEDS_MAX = 512, /* faster loops count as SPEEDS_MAX - 1 */
	NO_SPEED = 0,	  /* no window was full */
};

/* A speed is the number of turns in SPEED_WINDOW_NS, at least 1. */
struct speeds {
	uint32_t windows[SPEEDS_MAX]; /* how many windows had each speed */
};

struct speed_window {
	int64_t time_ns;
	int64_t turns;
};

/* A turn took turn_ns. Returns the speed of the window if the turn fills it, or else NO_SPEED. */
static inline int fill_window(struct speed_window *window, int64_t turn_ns)
{
	int64_t speed;

	window->time_ns += turn_ns;
	window->turns++;
	if (window->time_ns < SPEED_WINDOW_NS)
		return NO_SPEED;
	speed = window->turns * SPEED_WINDOW_NS / window->time_ns;
	*window = (struct speed_window) { 0, 0 };
	if (speed < 1)
		return 1;
	return speed < SPEEDS_MAX ? (int)speed : SPEEDS_MAX - 1;
}

void add_speeds(struct speeds *sum, const struct speeds *speeds);

/* NO_SPEED if there is no window. */
int slowest_speed(const struct speeds *speeds);
int median_speed(const struct speeds *speeds);

/* Write the speed as JSON: turns per microsecond, or null. */
void write_speed(FILE *file, int speed);

/* {"median": X, "slowest": X} */
void write_speeds(FILE *file, const struct speeds *speeds);

#endif
