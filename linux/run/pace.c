/* SPDX-License-Identifier: MIT */

/*
 * The usual turn is the median. So a disturbance of fewer than half of the turns does not count as
 * the processor's speed.
 */
#include "pace.h"

#include <stdlib.h>
#include <work.h>

enum {
	TURN_ITERATIONS = 2 * IMMPC_WORK_IN_A_ROW,
	TURNS_IN_CHUNK = 16,
	SAMPLES = 4095,
	TIMES_RECENT = 4,
	RECENT = 8,	 /* about so many turns */
	LEAST_NS = 1000, /* GAP_LEAST_NS of listener.c */
};

__attribute__((noinline)) int64_t turn_and_look(void)
{
	immpc_work(TURN_ITERATIONS);
	return now_ns();
}

bool is_short(const struct pace *pace, int64_t *recent_ns, int64_t took_ns)
{
	int64_t limit_ns = TIMES_RECENT * *recent_ns;

	if (limit_ns < LEAST_NS)
		limit_ns = LEAST_NS;
	if (limit_ns > pace->most_ns)
		limit_ns = pace->most_ns;
	if (took_ns <= pace->most_ns)
		*recent_ns += (took_ns - *recent_ns) / RECENT;
	return took_ns <= limit_ns;
}

static int compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int64_t median(int64_t *values)
{
	qsort(values, SAMPLES, sizeof(*values), compare);
	return values[SAMPLES / 2];
}

static int64_t usual_turn_ns(int64_t *samples)
{
	int64_t last_ns = turn_and_look();

	for (int i = 0; i < SAMPLES; i++) {
		int64_t look_ns = turn_and_look();

		samples[i] = look_ns - last_ns;
		last_ns = look_ns;
	}
	return median(samples);
}

static int64_t usual_chunk_ns(int64_t *samples)
{
	int64_t last_ns = now_ns();

	for (int i = 0; i < SAMPLES; i++) {
		int64_t look_ns;

		immpc_work(TURNS_IN_CHUNK * TURN_ITERATIONS);
		look_ns = now_ns();
		samples[i] = look_ns - last_ns;
		last_ns = look_ns;
	}
	return median(samples);
}

struct pace measure_pace(void)
{
	int64_t samples[SAMPLES];
	struct pace pace = { .chunk_iterations = TURNS_IN_CHUNK * TURN_ITERATIONS };
	int64_t chunk_ns = usual_chunk_ns(samples);

	pace.chunk_ps = 1000 * (uint64_t)(chunk_ns > 1 ? chunk_ns : 1);
	pace.turn_ns = usual_turn_ns(samples);
	pace.most_ns = 2 * pace.turn_ns > GAP_NS ? 2 * pace.turn_ns : GAP_NS;
	return pace;
}
