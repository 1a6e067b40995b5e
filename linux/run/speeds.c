/* SPDX-License-Identifier: MIT */
#include "speeds.h"

void add_speeds(struct speeds *sum, const struct speeds *speeds)
{
	for (int speed = 0; speed < SPEEDS_MAX; speed++)
		sum->windows[speed] += speeds->windows[speed];
}

/* The speed of the window at that place, counted from the slowest window. */
static int speed_at(const struct speeds *speeds, uint64_t place)
{
	uint64_t passed = 0;

	for (int speed = 0; speed < SPEEDS_MAX; speed++) {
		passed += speeds->windows[speed];
		if (passed > place)
			return speed;
	}
	return NO_SPEED;
}

int slowest_speed(const struct speeds *speeds)
{
	return speed_at(speeds, 0);
}

int median_speed(const struct speeds *speeds)
{
	uint64_t count = 0;

	for (int speed = 0; speed < SPEEDS_MAX; speed++)
		count += speeds->windows[speed];
	return speed_at(speeds, count / 2);
}

void write_speed(FILE *file, int speed)
{
	if (speed == NO_SPEED)
		fputs("null", file);
	else
		fprintf(file, "%.1f", speed * 1000.0 / SPEED_WINDOW_NS);
}

void write_speeds(FILE *file, const struct speeds *speeds)
{
	fputs("{\"median\":", file);
	write_speed(file, median_speed(speeds));
	fputs(",\"slowest\":", file);
	write_speed(file, slowest_speed(speeds));
	fputc('}', file);
}
