/* SPDX-License-Identifier: MIT */

/*
 * The cost of critical sections in a program that knows pthreads only, each protocol in
 * turn. `plafond bench pthread` runs it plain and with the drop-in preloaded, and
 * reports. The program is the same with and without the drop-in.
 */
#include "pair_rows.h"
#include "preempted_rows.h"
#include "realtime.h"
#include "rivals.h"
#include "rows.h"

#include <optional>
#include <string>

namespace bench
{

namespace
{

constexpr long PAIRS = 20000; /* per repetition; the same for all, with or without system calls */

template <class Mutex> constexpr Rival<Mutex> here(const Rival<Mutex> &rival)
{
	return { rival.name, rival.attachment, PAIRS };
}

enum class Scene {
	PINNED,	   /* to the one CPU that ever uses the mutex */
	CROSS_CPU, /* a thread of another CPU has used it once */
	UNPINNED,
};

void visit(PthreadProtect &mutex, int cpu)
{
	Thread visitor([&mutex, cpu] {
		pin(cpu);
		RealTime real_time(BY_PTHREADS, HOLDER_PRIORITY);
		try_out(mutex);
	});
}

void measure_protect(benchmark::State &state, Counts &counts, Scene scene)
{
	std::optional<Unpinned> unpinned;

	if (scene == Scene::UNPINNED)
		unpinned.emplace();
	RealTime real_time(BY_PTHREADS, HOLDER_PRIORITY);
	PthreadProtect mutex(CEILING);
	try_out(mutex);
	if (scene == Scene::CROSS_CPU)
		visit(mutex, other_cpu());
	measure(state, counts, Pair<PthreadProtect> { mutex }, false);
}

void add_protect(const std::string &name, Scene scene)
{
	auto run = [scene, counts = Counts()](benchmark::State &state) mutable {
		measure_protect(state, counts, scene);
	};

	add_row("pair/" + name, PAIRS, run);
}

void add_all()
{
	other_cpu(); /* without another CPU the program ends here */
	add_pair(here(EMPTY_LOOP));
	add_pair(here(NONE));
	add_pair(here(INHERIT));
	add_protect("protect", Scene::PINNED);
	add_protect("protect-cross-cpu", Scene::CROSS_CPU);
	add_protect("protect-unpinned", Scene::UNPINNED);
	/* The cost of waking the arrival at all. */
	add_preempted<NoLock, PosixSemaphore>("preempted/no-lock/passes-by", BY_PTHREADS, false);
	add_both_preempted(PROTECT);
}

} // namespace

} // namespace bench

int main(int argc, char **argv)
{
	return bench::run_rows(argc, argv, bench::add_all);
}
