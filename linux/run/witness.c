/* SPDX-License-Identifier: MIT */
#include "witness.h"

#include "../machine/clock.h"
#include "listener.h"
#include "noise.h"
#include "pace.h"

#include <inttypes.h>
#include <stdio.h>

struct watch {
	struct listener *listener;
	struct pace pace;
	int64_t recent_ns;
	struct speed_window window;
};

static void see_turn(struct watch *watch, int64_t last_ns, int64_t took_ns)
{
	int speed;

	if (took_ns > OWN_GAP_NS)
		add_gap(watch->listener, last_ns, took_ns);
	if (!is_short(&watch->pace, &watch->recent_ns, took_ns))
		return;
	speed = fill_window(&watch->window, took_ns);
	if (speed != NO_SPEED)
		watch->listener->speeds.windows[speed]++;
}

static void watch_until(void *state, int64_t end_ns)
{
	int64_t last_ns = turn_and_look();

	while (last_ns < end_ns) {
		int64_t now_ns = turn_and_look();

		see_turn(state, last_ns, now_ns - last_ns);
		last_ns = now_ns;
	}
}

static void watch_cpu(struct listener *listener)
{
	struct watch watch = { .listener = listener };

	stand_on_cpu(listener, LISTENER_PRIORITY);
	watch.pace = measure_pace();
	watch.recent_ns = watch.pace.turn_ns;
	in_bursts(listener, watch_until, &watch);
}

static void print(struct listener *listener)
{
	int64_t longest_ns = 0, sum_ns = 0;

	for (size_t i = 0; i < listener->gap_count; i++) {
		int64_t length_ns = listener->gaps[i].length_ns;

		sum_ns += length_ns;
		longest_ns = length_ns > longest_ns ? length_ns : longest_ns;
	}
	printf("{\"cpu\":%d,\"seconds\":%g,\"stops\":%zu,\"longest_stop_ns\":%" PRId64
	       ",\"stopped_ns\":%" PRId64 ",\"turns_per_us\":",
	       listener->cpu, (double)listener->duration_ns / (double)NS_PER_S, listener->gap_count,
	       longest_ns, sum_ns);
	write_speeds(stdout, &listener->speeds);
	puts("}");
}

int measure_stops(const char *cpu, const char *seconds)
{
	return run_listener(cpu, seconds, watch_cpu, print);
}
