/* SPDX-License-Identifier: MIT */
#ifndef BENCH_ICOUNT_H
#define BENCH_ICOUNT_H

/*
 * Counts instructions of user and kernel mode, in a virtual machine that runs an instruction each
 * tick (QEMU's `-icount shift=0`, a single CPU). There the counter of the processor is the number
 * of instructions executed so far.
 *
 * Interrupts are counted, too. If an interrupt wakes a task that cannot run yet, each change of a
 * priority costs more. So each figure is taken many times, after a rest in which such tasks run.
 * The least sample had no interrupt, and the median should be equal to it.
 */
#include "counter.h" /* in the folder of this processor */

#include <algorithm>
#include <array>
#include <cstdint>

namespace bench
{

/* Whether the counter advances by 1 for each instruction. */
bool counts_instructions();

constexpr int SAMPLES = 100; /* as in Almatary 2015, Table I */

/* Instructions of all samples. `same` is the number of samples that are equal to the least. */
struct Count {
	double least, median, most, mean;
	int same;
};

using Samples = std::array<std::uint64_t, SAMPLES>;

Count summarise(Samples samples);

/* Rounds of a loop: few, so that an interrupt seldom comes within. */
constexpr long ROUNDS = 5;

/*
 * The cost of a round, from the counts of ROUNDS and of 2 * ROUNDS, less the cost of the loop.
 * Excludes the code around the loop.
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

/* Let all ready tasks run. Each rest is a little longer, so that no interrupt hits every sample. */
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
