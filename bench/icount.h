/* SPDX-License-Identifier: MIT */
#ifndef BENCH_ICOUNT_H
#define BENCH_ICOUNT_H

/*
 * Counting instructions, user's and kernel's alike, in a virtual machine that runs
 * one a tick (QEMU's `-icount shift=0`, one CPU): there the counter of the processor is the
 * number of instructions executed so far.
 *
 * Interrupts are counted too, and a task that one of them woke and that cannot run yet
 * makes every change of a priority dearer. So a figure is taken many times, each after
 * a rest in which such tasks run: the least of them had no interrupt, and the median is
 * expected to be the same.
 */
#include "counter.h" /* of this processor */

#include <algorithm>
#include <array>
#include <cstdint>

namespace bench
{

/* Does the counter advance by 1 an instruction? */
bool counts_instructions();

constexpr int SAMPLES = 100; /* as in Almatary 2015, Table I */

/* Instructions, of all samples; `same` of them were the least. */
struct Count {
	double least, median, most, mean;
	int same;
};

using Samples = std::array<std::uint64_t, SAMPLES>;

Count summarise(Samples samples);

/* In a loop: few, so that an interrupt seldom comes between. */
constexpr long ROUNDS = 5;

/*
 * One round, from the counts of ROUNDS and of twice as many, less the cost of the loop:
 * the code around the loop is not in it.
 */
Count per_round(const Count &once, const Count &twice, double loop);

/* The instructions of body(), which is inlined. */
template <class Body> [[gnu::always_inline]] inline std::uint64_t count_once(Body &&body)
{
	std::uint64_t before, after;

	read_count(before);
	body();
	read_count(after);
	return after - before - READING;
}

/* Let all that is ready run; a little longer each time, so that no interrupt hits every sample. */
void rest();

template <class Body> Count count_samples(Body body)
{
	Samples samples;

	for (auto &sample : samples) {
		rest();
		body();
		sample = count_once(body);
	}
	return summarise(samples);
}

} // namespace bench

#endif
