/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COUNT_ROUND_H
#define BENCH_COUNT_ROUND_H

/* The instructions of one round, without those of the loop around it. */
#include "icount.h"
#include "pair.h"
#include "rivals.h"

namespace bench
{

/* One round, less `loop`. */
template <class Round> Count count_round(Round round, double loop)
{
	repeat(round, ROUNDS); /* symbols are bound now, and pages there */
	Count once = count_samples([=] { repeat(round, ROUNDS); });
	Count twice = count_samples([=] { repeat(round, 2 * ROUNDS); });

	return per_round(once, twice, loop);
}

/* What the loop costs. */
inline double count_empty_round()
{
	NoLock nothing(CEILING);

	return count_round(Pair<NoLock> { nothing }, 0).least;
}

} // namespace bench

#endif
