/* SPDX-License-Identifier: MIT */

/*
 * The rows of Almatary 2015, Table I: lock, unlock and the calls of the system, one by one.
 *
 * The holder yields the CPU in its section, so the scheduler sees its raised priority even
 * though no other thread waits. The holder is the next to run.
 */
#include "instructions.h"
#include "pair.h"
#include "realtime.h"
#include "rivals.h"

#include <sched.h>
#include <unistd.h>

namespace bench
{

namespace
{

struct CallSamples {
	Samples lock, unlock, yield, yield_in_section, unlock_raised;
};

template <class Mutex> CallSamples count_calls(Mutex &mutex)
{
	CallSamples calls;

	for (int i = 0; i < SAMPLES; ++i) {
		rest();
		calls.lock[i] = count_once([&] { mutex.lock(); });
		calls.unlock[i] = count_once([&] { mutex.unlock(); });
		calls.yield[i] = count_once([] { sched_yield(); });
		mutex.lock();
		calls.yield_in_section[i] = count_once([] { sched_yield(); });
		calls.unlock_raised[i] = count_once([&] { mutex.unlock(); });
	}
	return calls;
}

template <class Mutex> void add_lock(const Rival<Mutex> &rival)
{
	RealTime real_time(rival.attachment, HOLDER_PRIORITY);
	Mutex mutex(CEILING);

	try_out(mutex);
	count_calls(mutex); /* binds symbols */
	CallSamples calls = count_calls(mutex);
	add_figure({ "call", rival.name, "lock", summarise(calls.lock) });
	add_figure({ "call", rival.name, "unlock", summarise(calls.unlock) });
	add_figure({ "call", rival.name, "yield", summarise(calls.yield) });
	add_figure({ "call", rival.name, "yield-in-section", summarise(calls.yield_in_section) });
	add_figure({ "call", rival.name, "unlock-contended", summarise(calls.unlock_raised) });
}

int set_priority(int priority)
{
	sched_param param = {};

	param.sched_priority = priority;
	return sched_setparam(0, &param);
}

void add_set_priority()
{
	Samples raise, lower;

	require(set_priority(HOLDER_PRIORITY), "sched_setparam");
	for (int i = 0; i < SAMPLES; ++i) {
		rest();
		raise[i] = count_once([] { set_priority(CEILING); });
		lower[i] = count_once([] { set_priority(HOLDER_PRIORITY); });
	}
	add_figure({ "system", "", "raise", summarise(raise) });
	add_figure({ "system", "", "lower", summarise(lower) });
}

} // namespace

void add_calls(Locks locks)
{
	if (locks == Locks::MODULE) {
		add_lock(PLAFOND_MODULE_STRICT);
		add_lock(PLAFOND_MODULE);
		return;
	}
	add_lock(PROTECT);
}

void add_system_calls()
{
	RealTime real_time(BY_PTHREADS, HOLDER_PRIORITY);

	add_figure({ "system", "", "dummy", count_samples([] { getppid(); }) });
	add_set_priority();
}

} // namespace bench
