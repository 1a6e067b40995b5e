/* SPDX-License-Identifier: MIT */
#include "stretches.h"

#include <ctime>

namespace bench
{

int64_t longest_beyond_median(Lengths lengths)
{
	if (lengths.empty())
		return 0;
	std::sort(lengths.begin(), lengths.end());
	return lengths.back() - lengths[(lengths.size() - 1) / 2];
}

int64_t look()
{
	timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

} // namespace bench
