/* SPDX-License-Identifier: MIT */
#ifndef BENCH_STRETCHES_H
#define BENCH_STRETCHES_H

/*
 * A repetition in stretches of about 100 us. The clock is read between stretches, but not within. A
 * stretch that is much longer than the others shows that the machine stopped the thread. The lab
 * decides which repetition it measures again (lab/plafond/bench/again.py).
 */
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>

namespace bench
{

using Lengths = std::vector<int64_t>; /* nanoseconds of each stretch */

/* The longest less the median, for an even number the lower median; 0 without any. */
int64_t longest_beyond_median(Lengths lengths);

/* CLOCK_MONOTONIC */
int64_t look();

/* The number of rounds of a stretch. body(n) does n rounds, and a repetition has `rounds`. */
template <class Body> long rounds_of_stretch(Body body, long rounds)
{
	constexpr int64_t STRETCH_NS = 100000;
	constexpr long PARTS = 50, LEAST_STRETCHES = 10;
	constexpr int TRIES = 3;
	const long part = std::max(rounds / PARTS, 1L);
	int64_t shortest_ns = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t begin_ns = look();

		body(part);
		shortest_ns = std::min(shortest_ns, std::max(look() - begin_ns, INT64_C(1)));
	}
	return std::clamp(STRETCH_NS * part / shortest_ns, 1L,
			  std::max(rounds / LEAST_STRETCHES, 1L));
}

/* The counter of a row that the lab reads. */
inline void report_beyond(benchmark::State &state, int64_t beyond_ns)
{
	state.counters["beyond_ns"] = static_cast<double>(beyond_ns);
}

/* Measure a repetition in stretches of `stretch` rounds. */
template <class Body> void run_in_stretches(benchmark::State &state, long stretch, Body body)
{
	Lengths lengths;
	int64_t last_ns;

	lengths.reserve(state.max_iterations / stretch + 1);
	last_ns = look();
	while (state.KeepRunningBatch(stretch)) {
		int64_t now_ns;

		body(stretch);
		now_ns = look();
		lengths.push_back(now_ns - last_ns);
		last_ns = now_ns;
	}
	report_beyond(state, longest_beyond_median(std::move(lengths)));
}

} // namespace bench

#endif
