/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SWITCHES_H
#define BENCH_SWITCHES_H

#include <sys/resource.h>

namespace bench
{

/* Context switches of all threads of the process, so far. */
inline long context_switches()
{
	rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Context switches of a round, the mean of several rounds. */
template <class Round> double switches_in(Round round)
{
	const int rounds = 10;
	long before = context_switches();

	for (int i = 0; i < rounds; ++i)
		round();
	return static_cast<double>(context_switches() - before) / rounds;
}

} // namespace bench

#endif
