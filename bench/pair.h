/* SPDX-License-Identifier: MIT */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

/* The round that is measured most: one section in which nothing is done. */
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

/* The loop. The round is a copy, so that it stays in registers. */
template <class Round> [[gnu::noinline]] void repeat(Round round, long rounds)
{
	for (; rounds > 0; --rounds) {
		round();
		plf_barrier();
	}
}

/* A row that measured a lock which refused would be worth nothing. */
template <class Mutex> void try_out(Mutex &mutex)
{
	require(mutex.lock(), "lock");
	require(mutex.unlock(), "unlock");
}

} // namespace bench

#endif
