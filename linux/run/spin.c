/* SPDX-License-Identifier: MIT */
#include "spin.h"

/* Returns the time of the turn if it counts as work, and otherwise 0. */
static int64_t turn(struct spin *spin, struct log *log)
{
	int64_t before_ns = log->seen_ns;
	int64_t took_ns;

	log_seen(log, turn_and_look() - log->zero_ns);
	took_ns = log->seen_ns - before_ns;
	if (is_short(spin->pace, &spin->recent_ns, took_ns)) {
		log_turn(log, took_ns);
		return took_ns;
	}
	if (took_ns > GAP_NS)
		log_gap(log, before_ns, log->seen_ns);
	return 0;
}

void spin_for(struct spin *spin, int64_t time_ns, struct log *log)
{
	while (time_ns > 0)
		time_ns -= turn(spin, log);
}
