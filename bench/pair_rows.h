/* SPDX-License-Identifier: MIT */
#ifndef BENCH_PAIR_ROWS_H
#define BENCH_PAIR_ROWS_H

/* Rows of sections without contention: their time and their events. */
#include "count.h"
#include "pair.h"
#include "realtime.h"
#include "rivals.h"
#include "rows.h"
#include "stretches.h"

#include <string>
#include <unistd.h>

namespace bench
{

/*
 * Count the events of a round once. `steps` must be false if the code may have a restartable
 * sequence, because that never ends under single-stepping.
 */
template <class Body> void count_once(Counts &counts, Body body, long rounds, bool steps)
{
	if (counts.known)
		return;
	if (steps)
		counts.instructions = count_per_round(Event::INSTRUCTION, { gettid() }, body);
	counts.system_calls = count_per_round(Event::SYSTEM_CALL, { gettid() }, body);
	counts.stretch = rounds_of_stretch(body, rounds);
	counts.known = true;
}

template <class Round>
void measure(benchmark::State &state, Counts &counts, Round round, bool steps = true)
{
	auto body = [round](long rounds) { repeat(round, rounds); };

	body(BATCH); /* binds symbols before the first count */
	count_once(counts, body, state.max_iterations, steps);
	run_in_stretches(state, counts.stretch, body);
	set_counts(state, counts);
}

template <class Mutex> void add_pair(const Rival<Mutex> &rival)
{
	auto run = [rival, counts = Counts()](benchmark::State &state) mutable {
		RealTime real_time(rival.attachment, HOLDER_PRIORITY);
		Mutex mutex(CEILING);

		try_out(mutex);
		measure(state, counts, Pair<Mutex> { mutex });
	};

	add_row(std::string("pair/") + rival.name, rival.pairs, run);
}

} // namespace bench

#endif
