/* SPDX-License-Identifier: MIT */
#include "gaps.h"

/* The sum of the gaps up to a time, which only grows. */
struct cursor {
	const struct gap *gaps;
	size_t count;
	size_t next;	   /* the first gap that does not end before that time */
	int64_t passed_ns; /* the sum of the gaps before that gap */
};

static int64_t sum_until(struct cursor *cursor, int64_t time_ns)
{
	const struct gap *gap = &cursor->gaps[cursor->next];
	const struct gap *end = &cursor->gaps[cursor->count];

	for (; gap < end && gap->start_ns + gap->length_ns <= time_ns; gap++) {
		cursor->passed_ns += gap->length_ns;
		cursor->next++;
	}
	if (gap == end || gap->start_ns >= time_ns)
		return cursor->passed_ns;
	return cursor->passed_ns + time_ns - gap->start_ns;
}

/* A window that takes the most can be moved until it begins or ends together with a gap. */
int64_t most_in_window(const struct gap *gaps, size_t count, int64_t window_ns)
{
	struct cursor from[2] = { { .gaps = gaps, .count = count },
				  { .gaps = gaps, .count = count } };
	struct cursor to[2] = { from[0], from[1] };
	int64_t most = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t start = gaps[i].start_ns;
		int64_t end = start + gaps[i].length_ns;
		int64_t after = sum_until(&to[0], start + window_ns) - sum_until(&from[0], start);
		int64_t before = sum_until(&to[1], end) - sum_until(&from[1], end - window_ns);

		most = after > most ? after : most;
		most = before > most ? before : most;
	}
	return most;
}
