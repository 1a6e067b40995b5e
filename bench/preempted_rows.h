/* SPDX-License-Identifier: MIT */
#ifndef BENCH_PREEMPTED_ROWS_H
#define BENCH_PREEMPTED_ROWS_H

/*
 * The cost of a section in which a thread of higher priority arrives, at or below the ceiling. The
 * holder wakes the thread from inside the section. So a round is: enter, wake, [the arrival does
 * its work and sleeps], leave. At the end of the round the arrival sleeps again, under each
 * protocol.
 */
#include "arrival.h"
#include "count.h"
#include "realtime.h"
#include "rivals.h"
#include "rows.h"
#include "stretches.h"
#include "switches.h"

#include <string>
#include <unistd.h>

namespace bench
{

template <class Mutex, class Arrival>
void repeat_preempted(Mutex &mutex, Arrival &arrival, long rounds)
{
	for (; rounds > 0; --rounds) {
		require(mutex.lock(), "lock of the holder");
		arrival.wake();
		require(mutex.unlock(), "unlock of the holder");
	}
}

template <class Mutex, class Semaphore>
void measure_preempted(benchmark::State &state, Counts &counts, const Attachment &attachment,
		       bool uses_lock)
{
	RealTime real_time(attachment, HOLDER_PRIORITY);
	Mutex mutex(CEILING);
	Arrival<Mutex, Semaphore> arrival(attachment, ARRIVAL_PRIORITY, mutex, uses_lock);

	auto body = [&](long rounds) { repeat_preempted(mutex, arrival, rounds); };

	body(10);
	if (!counts.known) {
		counts.system_calls =
			count_per_round(Event::SYSTEM_CALL, { gettid(), arrival.tid() }, body);
		counts.stretch = rounds_of_stretch(body, state.max_iterations);
	}
	counts.known = true;
	long before = context_switches();
	run_in_stretches(state, counts.stretch, body);
	double switches = context_switches() - before;
	state.counters["context_switches"] = switches / state.iterations();
	set_counts(state, counts);
}

template <class Mutex, class Semaphore>
void add_preempted(const std::string &name, const Attachment &attachment, bool uses_lock)
{
	const long rounds = 2 * BATCH;

	add_row(name, rounds, [=, counts = Counts()](benchmark::State &state) mutable {
		measure_preempted<Mutex, Semaphore>(state, counts, attachment, uses_lock);
	});
}

template <class Mutex> void add_both_preempted(const Rival<Mutex> &rival)
{
	using Semaphore = typename Mutex::Semaphore;
	std::string name = std::string("preempted/") + rival.name;

	add_preempted<Mutex, Semaphore>(name + "/uses-lock", rival.attachment, true);
	add_preempted<Mutex, Semaphore>(name + "/passes-by", rival.attachment, false);
}

} // namespace bench

#endif
