/* SPDX-License-Identifier: MIT */

/*
 * The cost of a section in which a thread of higher priority arrives, at or
 * below the ceiling. The holder itself wakes it from inside the section, so each
 * round is: enter, wake, [the arrival does its work and sleeps], leave. When the
 * round ends, the arrival sleeps again, whatever the protocol.
 */
#include "arrival.h"
#include "count.h"
#include "locks.h"
#include "realtime.h"
#include "rivals.h"
#include "switches.h"

#include <string>

namespace bench
{

namespace
{

template <class Mutex, class Arrival> void repeat(Mutex &mutex, Arrival &arrival, long rounds)
{
	for (; rounds > 0; --rounds) {
		require(mutex.lock(), "lock of the holder");
		arrival.wake();
		require(mutex.unlock(), "unlock of the holder");
	}
}

struct Counts {
	bool known = false;
	std::optional<double> system_calls;
};

template <class Mutex, class Semaphore>
void measure(benchmark::State &state, Counts &counts, const Attachment &attachment, bool uses_lock)
{
	RealTime real_time(attachment, HOLDER_PRIORITY);
	Mutex mutex(CEILING);
	Arrival<Mutex, Semaphore> arrival(attachment, ARRIVAL_PRIORITY, mutex, uses_lock);

	repeat(mutex, arrival, 10);
	if (!counts.known)
		counts.system_calls =
			count_per_round(Event::SYSTEM_CALL, { gettid(), arrival.tid() },
					[&](long rounds) { repeat(mutex, arrival, rounds); });
	counts.known = true;
	long before = context_switches();
	while (state.KeepRunningBatch(BATCH))
		repeat(mutex, arrival, BATCH);
	double switches = context_switches() - before;
	set_counter(state, "context_switches", switches / state.iterations());
	set_counter(state, "system_calls", counts.system_calls);
}

template <class Mutex, class Semaphore>
void add(const std::string &name, const Attachment &attachment, bool uses_lock)
{
	const long rounds = 2 * BATCH;

	add_row(name, rounds, [=, counts = Counts()](benchmark::State &state) mutable {
		measure<Mutex, Semaphore>(state, counts, attachment, uses_lock);
	});
}

template <class Mutex> void add_both(const Rival<Mutex> &rival)
{
	using Semaphore = typename Mutex::Semaphore;
	std::string name = std::string("preempted/") + rival.name;

	add<Mutex, Semaphore>(name + "/uses-lock", rival.attachment, true);
	add<Mutex, Semaphore>(name + "/passes-by", rival.attachment, false);
}

} // namespace

void add_preempted()
{
	/* What it costs to wake the arrival at all. */
	add<NoLock, PosixSemaphore>("preempted/no-lock-sem_wait/passes-by", BY_PTHREADS, false);
	add<NoLock, PlafondSemaphore>("preempted/no-lock-plf_sem_wait/passes-by", ROBUST, false);
	add_both(PLAFOND_USER_STRICT);
	add_both(PLAFOND_USER);
	add_both(PLAFOND_SYSCALL);
	add_both(PTHREAD_INHERIT);
	add_both(PTHREAD_PROTECT);
}

} // namespace bench
