/* SPDX-License-Identifier: MIT */
#ifndef BENCH_LOCKS_H
#define BENCH_LOCKS_H

/*
 * The parts of the program `locks`. Each adds its rows to Google Benchmark as
 * GROUP/LOCK[/CASE]; together they run in one process, repetitions mixed at random.
 */
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <string>

namespace bench
{

void add_uncontended();
void add_preempted();

/* One row; `run` is called once a repetition and measures `rounds` rounds. */
void add_row(const std::string &name, long rounds, std::function<void(benchmark::State &)> run);

/* Rounds that are measured without a look at the clock. */
constexpr long BATCH = 1000;

/* Set a counter of the row, or leave it out if it could not be counted. */
void set_counter(benchmark::State &state, const char *name, const std::optional<double> &value);

} // namespace bench

#endif
