/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COUNT_ROUND_H
#define BENCH_COUNT_ROUND_H

/* The instructions of a round, without the loop around it. */
#include "icount.h"
#include "pair.h"
#include "rivals.h"

namespace bench
{

/* The cost of a round, less `loop`. */
template <class Round> Count count_round(Round round, double loop)
{
	repeat(round, ROUNDS); /* now symbols are bound, and pages mapped */
	Count once = count_samples([=] { repeat(round, ROUNDS); });
	Count twice = count_samples([=] { repeat(round, 2 * ROUNDS); });

	return per_round(once, twice, loop);
}

/* The cost of the loop. */
inline double count_empty_round()
{
	NoLock nothing(CEILING);

	return count_round(Pair<NoLock> { nothing }, 0).least;
}

} // namespace bench

#endif
