/* SPDX-License-Identifier: MIT */

/* The cost of sections without contention, and of the wake hook. */
#include "locks.h"
#include "pair_rows.h"
#include "realtime.h"
#include "rivals.h"
#include "rows.h"
#include "sleeper.h"

#include <deque>
#include <mutex>
#include <vector>

namespace bench
{

/* As programs in C++ write it. */
template <> struct Pair<PlafondCpp> {
	PlafondCpp &rival;

	void operator()()
	{
		std::lock_guard guard(rival.mutex);

		plf_barrier();
	}
};

namespace
{

template <class Mutex> struct NestedPair {
	Mutex &outer;
	Mutex &inner;

	void operator()()
	{
		outer.lock();
		inner.lock();
		benchmark::ClobberMemory();
		inner.unlock();
		outer.unlock();
	}
};

/* One pair of the next mutex; their number is a power of two. */
template <class Mutex> struct NextPair {
	const std::vector<Mutex *> &mutexes;
	size_t turn = 0;

	void operator()()
	{
		Pair<Mutex> { *mutexes[turn++ & (mutexes.size() - 1)] }();
	}
};

struct Hook {
	void operator()()
	{
		plf_wake_hook();
	}
};

/* Both ceilings are the same: glibc then changes the priority once, not twice. */
template <class Mutex> void add_nested(const Rival<Mutex> &rival)
{
	auto run = [rival, counts = Counts()](benchmark::State &state) mutable {
		RealTime real_time(rival.attachment, HOLDER_PRIORITY);
		Mutex outer(CEILING), inner(CEILING);

		try_out(outer);
		try_out(inner);
		measure(state, counts, NestedPair<Mutex> { outer, inner });
	};

	add_row(std::string("nested/") + rival.name, rival.pairs, run);
}

void add_hook(const Rival<Plafond> &rival)
{
	auto run = [rival, counts = Counts()](benchmark::State &state) mutable {
		RealTime real_time(rival.attachment, HOLDER_PRIORITY);

		require(plf_wake_hook(), "plf_wake_hook");
		measure(state, counts, Hook {});
	};

	add_row(std::string("hook/") + rival.name, rival.pairs, run);
}

template <class Mutex> void add_scaling(const Rival<Mutex> &rival, int threads)
{
	auto run = [rival, threads, counts = Counts()](benchmark::State &state) mutable {
		RealTime real_time(rival.attachment, HOLDER_PRIORITY);
		std::deque<Sleeper> others;
		std::deque<Mutex> mutexes;
		std::vector<Mutex *> round;

		for (int i = 0; i < threads; ++i) {
			mutexes.emplace_back(CEILING);
			round.push_back(&mutexes.back());
			try_out(mutexes.back());
			if (i > 0)
				others.emplace_back(rival.attachment);
		}
		measure(state, counts, NextPair<Mutex> { round });
	};

	add_row(std::string("scaling/") + rival.name + "/" + std::to_string(threads), rival.pairs,
		run);
}

template <class Mutex> void add_pairs(const Rival<Mutex> &rival)
{
	add_pair(rival);
	add_nested(rival);
}

} // namespace

void add_uncontended()
{
	add_pair(EMPTY_LOOP);
	add_pairs(BOUND);
	add_pairs(PLAFOND_STRICT);
	add_pairs(PLAFOND);
	add_pair(PLAFOND_CPP);
	add_pairs(PLAFOND_GLOBAL);
	add_pairs(PLAFOND_SYSCALL);
	add_pairs(NONE);
	add_pairs(INHERIT);
	add_pairs(PROTECT);
	add_hook(PLAFOND_STRICT);
	add_hook(PLAFOND);
	for (int threads : { 2, 8, 32, 64 }) {
		add_scaling(PLAFOND_STRICT, threads);
		add_scaling(PLAFOND, threads);
		add_scaling(NONE, threads);
	}
}

} // namespace bench
