/* SPDX-License-Identifier: MIT */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

/* The usual round: an empty section. */
#include "realtime.h"

#include <plafond.h>

namespace bench
{

template <class Mutex> struct Pair {
	Mutex &mutex;

	void operator()()
	{
		mutex.lock();
		plf_barrier();
		mutex.unlock();
	}
};

/* The loop. `round` is passed by value, so it stays in registers. */
template <class Round> [[gnu::noinline]] void repeat(Round round, long rounds)
{
	for (; rounds > 0; --rounds) {
		round();
		plf_barrier();
	}
}

/* Check that the lock works, because a row with a lock that refuses would be worthless. */
template <class Mutex> void try_out(Mutex &mutex)
{
	require(mutex.lock(), "lock");
	require(mutex.unlock(), "unlock");
}

} // namespace bench

#endif
