/* SPDX-License-Identifier: MIT */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

/*
 * The rows of a program on Google Benchmark, named GROUP/LOCK[/CASE]. They run in a single process,
 * with repetitions mixed at random: one CPU, SCHED_FIFO, memory locked. A second thread is alive,
 * because glibc has a cheaper path for single-threaded programs.
 */
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <string>

namespace bench
{

/*
 * The whole of main(): takes the options of Google Benchmark. Prints the number of rows on stderr,
 * and a line when a repetition begins. `add_rows` is called in the state that is measured.
 */
int run_rows(int argc, char **argv, void (*add_rows)());

/* Add a row. `run` is called for each repetition, and measures `rounds` rounds. */
void add_row(const std::string &name, long rounds, std::function<void(benchmark::State &)> run);

/* Rounds before the first repetition of a row. */
constexpr long BATCH = 1000;

/* Events of a round of a row, counted in the first repetition and reported in all. */
struct Counts {
	bool known = false;
	long stretch = 0; /* rounds: see stretches.h */
	std::optional<double> instructions;
	std::optional<double> system_calls;
};

/* Make the counts counters of the row. An event that could not be counted is left out. */
void set_counts(benchmark::State &state, const Counts &counts);

} // namespace bench

#endif
