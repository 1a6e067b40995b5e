/* SPDX-License-Identifier: MIT */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

/*
 * The rows of a program on Google Benchmark, named GROUP/LOCK[/CASE]. They run in one
 * process, repetitions mixed at random: one CPU, SCHED_FIFO, memory locked, a second
 * thread alive (glibc has a cheaper path for programs with only one).
 */
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <string>

namespace bench
{

/*
 * The whole of main(): takes Google Benchmark's options; prints on stderr how many
 * rows there are and when each repetition begins. `add_rows` is called in the state
 * that is measured.
 */
int run_rows(int argc, char **argv, void (*add_rows)());

/* One row; `run` is called once a repetition and measures `rounds` rounds. */
void add_row(const std::string &name, long rounds, std::function<void(benchmark::State &)> run);

/* Rounds before the first repetition of a row. */
constexpr long BATCH = 1000;

/* Of a row: the events of a round, counted in the first repetition and repeated in all. */
struct Counts {
	bool known = false;
	long stretch = 0; /* rounds: see stretches.h */
	std::optional<double> instructions;
	std::optional<double> system_calls;
};

/* Make them counters of the row; an event that could not be counted is left out. */
void set_counts(benchmark::State &state, const Counts &counts);

} // namespace bench

#endif
