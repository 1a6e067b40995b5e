/* SPDX-License-Identifier: MIT */

/*
 * The median of many samples of a millisecond: a disturbance of fewer than half of
 * them (interrupts of a timer, a hypervisor) is not taken for work. It then adds to
 * the time of a run, as it does to that of any program.
 */
#include "calibrate.h"

#include "../machine/clock.h"

#include <stdlib.h>

enum {
	CHUNK_NS = 2000, /* half of it ends no work (spin.c): the least gap that noise.c counts */
	FIRST_ITERATIONS = 5000,
	FIRST_SAMPLES = 500,
	SAMPLES = 101,
	CHUNKS_OF_SAMPLE = 500,
	CHECKS = 50,
	CHECK_NS = 1000000, /* so that a nanosecond of error is one part in a million */
};

static int compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int64_t median(int64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

/* The fastest of some short samples: good enough for the size of a chunk. It also warms up. */
static uint64_t iterations_of_chunk(void)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < FIRST_SAMPLES; i++) {
		int64_t before = now_ns();
		int64_t took;

		spin_iterations(FIRST_ITERATIONS);
		took = now_ns() - before;
		least = took < least ? took : least;
	}
	return (uint64_t)FIRST_ITERATIONS * CHUNK_NS / (uint64_t)least;
}

/* The gaps have no room. */
static int64_t time_of(const struct spin *spin, int64_t nominal_ns)
{
	struct task_record record = { 0 };
	struct log log = { .record = &record };
	int64_t before = log_look(&log);

	spin_for(spin, nominal_ns, &log);
	return log.seen_ns - before;
}

static double measured_chunk_ns(uint64_t iterations)
{
	int64_t samples[SAMPLES];

	for (size_t i = 0; i < SAMPLES; i++) {
		int64_t before = now_ns();

		for (int chunk = 0; chunk < CHUNKS_OF_SAMPLE; chunk++) {
			spin_iterations(iterations);
			samples[i] = now_ns() - before;
		}
	}
	return (double)median(samples, SAMPLES) / CHUNKS_OF_SAMPLE;
}

static void check(const struct spin *spin, struct cpu_record *cpu)
{
	int64_t errors[CHECKS];

	for (size_t i = 0; i < CHECKS; i++)
		errors[i] = llabs(time_of(spin, CHECK_NS) - CHECK_NS);
	cpu->error_median_ppm = median(errors, CHECKS);
	cpu->error_largest_ppm = errors[CHECKS - 1];
}

struct spin calibrate(struct cpu_record *cpu)
{
	struct spin spin = { .chunk_iterations = iterations_of_chunk() };

	spin.chunk_ns = measured_chunk_ns(spin.chunk_iterations);
	check(&spin, cpu);
	cpu->iterations_per_us = (double)spin.chunk_iterations * 1000 / spin.chunk_ns;
	return spin;
}
