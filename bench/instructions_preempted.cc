/* SPDX-License-Identifier: MIT */

/*
 * The cost of a section in which a thread above the holder, but not above the ceiling,
 * arrives. The holder wakes that thread in the section, so each round is the same: enter,
 * wake, [the arrival does its work and sleeps], leave. A round ends when the holder runs
 * again and no other thread is ready.
 */
#include "arrival.h"
#include "instructions.h"
#include "realtime.h"
#include "rivals.h"
#include "switches.h"

namespace bench
{

namespace
{

constexpr Rival<NoLock> NO_LOCK = { "no-lock", BY_PTHREADS, MANY };

/* Does the arrival come to its own work before the section ends? */
template <class Mutex, class Arrival> bool runs_inside(Mutex &mutex, Arrival &arrival)
{
	long before = arrival.turns();

	require(mutex.lock(), "lock of the holder");
	arrival.wake();
	bool inside = arrival.turns() != before;
	require(mutex.unlock(), "unlock of the holder");
	return inside;
}

template <class Mutex, class Semaphore>
void add_scene(const Rival<Mutex> &rival, const char *scene, int priority, bool uses_lock)
{
	RealTime real_time(rival.attachment, HOLDER_PRIORITY);
	Mutex mutex(CEILING);
	Arrival<Mutex, Semaphore> arrival(rival.attachment, priority, mutex, uses_lock);
	auto round = [&] {
		require(mutex.lock(), "lock of the holder");
		arrival.wake();
		require(mutex.unlock(), "unlock of the holder");
	};

	double switches = switches_in(round);
	bool inside = runs_inside(mutex, arrival);
	add_figure({ "preempted", rival.name, scene, count_samples(round), switches, inside });
}

template <class Mutex, class Semaphore = typename Mutex::Semaphore>
void add_scenes(const Rival<Mutex> &rival)
{
	add_scene<Mutex, Semaphore>(rival, "uses-lock", ARRIVAL_PRIORITY, true);
	add_scene<Mutex, Semaphore>(rival, "passes-by", ARRIVAL_PRIORITY, false);
	add_scene<Mutex, Semaphore>(rival, "uses-lock-at-ceiling", CEILING, true);
	add_scene<Mutex, Semaphore>(rival, "passes-by-at-ceiling", CEILING, false);
}

} // namespace

void add_preempted(Locks locks)
{
	add_scenes<NoLock, PosixSemaphore>(NO_LOCK);
	if (locks == Locks::MODULE) {
		/* The module needs no wake hook: the arrival may sleep in any call. */
		add_scenes<Plafond, PosixSemaphore>(PLAFOND_MODULE_STRICT);
		add_scenes<Plafond, PosixSemaphore>(PLAFOND_MODULE);
		return;
	}
	add_scenes(PLAFOND_STRICT);
	add_scenes(PLAFOND);
	add_scenes(PLAFOND_SYSCALL);
	add_scenes(INHERIT);
	add_scenes(PROTECT);
}

} // namespace bench
