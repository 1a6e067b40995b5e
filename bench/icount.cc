/* SPDX-License-Identifier: MIT */
#include "icount.h"

#include <ctime>
#include <numeric>

namespace bench
{

namespace
{

std::uint64_t count_turns(std::uint64_t turns)
{
	return count_once([&turns] { turn(turns); });
}

} // namespace

Count summarise(Samples samples)
{
	std::sort(samples.begin(), samples.end());
	auto least = samples.front();
	auto same = std::count(samples.begin(), samples.end(), least);
	auto sum = std::accumulate(samples.begin(), samples.end(), std::uint64_t { 0 });

	return { static_cast<double>(least), static_cast<double>(samples[SAMPLES / 2]),
		 static_cast<double>(samples.back()), static_cast<double>(sum) / SAMPLES,
		 static_cast<int>(same) };
}

Count per_round(const Count &once, const Count &twice, double loop)
{
	auto each = [loop](double more, double less) { return (more - less) / ROUNDS - loop; };

	return { each(twice.least, once.least), each(twice.median, once.median),
		 each(twice.most, once.least), each(twice.mean, once.mean),
		 std::min(once.same, twice.same) };
}

void rest()
{
	static long turn;
	const timespec a_while = { 0, 1000000 + 9973 * (turn++ % SAMPLES) };

	nanosleep(&a_while, nullptr);
}

/* An interrupt may hit one reading, hardly all of them. */
bool counts_instructions()
{
	Samples samples;

	for (auto turns : { 1000, 2000, 5000 }) {
		for (auto &sample : samples)
			sample = count_turns(turns);
		if (summarise(samples).least != 2.0 * turns + 1)
			return false;
	}
	return true;
}

} // namespace bench
