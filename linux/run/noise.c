/* SPDX-License-Identifier: MIT */
#include "noise.h"

#include "../machine/clock.h"
#include "listener.h"

#include <inttypes.h>
#include <stdio.h>

enum { WINDOW_NS = 10000, WINDOWS = 17 };

/* Print the most time that the gaps take from each window. */
static void print_windows(const struct listener *listener)
{
	for (int k = 0; k < WINDOWS; k++) {
		int64_t window = (int64_t)WINDOW_NS << k;

		printf("%s[%" PRId64 ",%" PRId64 "]", k == 0 ? "[" : ",", window,
		       most_in_window(listener->gaps, listener->gap_count, window));
	}
	putchar(']');
}

static void leave_out_above(struct listener *listener, int64_t longest_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < listener->gap_count; i++)
		if (listener->gaps[i].length_ns <= longest_ns)
			listener->gaps[kept++] = listener->gaps[i];
	listener->gap_count = kept;
}

static void print(struct listener *listener)
{
	size_t count = listener->gap_count;

	printf("{\"cpu\":%d,\"seconds\":%g,\"windows\":", listener->cpu,
	       (double)listener->duration_ns / (double)NS_PER_S);
	print_windows(listener);
	leave_out_above(listener, OWN_GAP_NS);
	printf(",\"of_gaps_up_to\":{\"%" PRId64 "\":", OWN_GAP_NS);
	print_windows(listener);
	printf("},\"gaps\":%zu,\"lost_gaps\":%" PRIu64 "}\n", count, listener->lost_gaps);
}

static void listen(struct listener *listener)
{
	stand_on_cpu(listener, LISTENER_PRIORITY);
	listen_on_cpu(listener);
}

int measure_noise(const char *cpu, const char *seconds)
{
	return run_listener(cpu, seconds, listen, print);
}
