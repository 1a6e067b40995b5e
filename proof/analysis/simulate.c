/* SPDX-License-Identifier: MIT */
/*
 * Explore small task sets (taskset.h) from standard input exhaustively, under each protocol of
 * their scheduler (model.h). Print a line for each set and protocol:
 *
 *	NAME PROTOCOL VERDICT STATES CUT RESPONSE...
 *
 * RESPONSE is the longest response time of each task, in the order of the tasks. It counts from the
 * activation if another task activates the task. After these is the longest time from an arrival of
 * the chain to its end, or 0. CUT has a bit for
 * each server whose overrun a replenishment cut, or whose section did not end within its budget.
 * The program shares no code with the analysis that it checks.
 */
#include "explore.h"

#include <stdlib.h>

static const char *const protocols[] = { "ceiling",	   "inherit",	 "none",
					 "deadline-floor", "lazy-floor", "stack",
					 "mpcp",	   "msrp",	 "spin-priority" };
static const char *const verdicts[] = { "explored",  "states", "pending", "deadlock",
					"unbounded", "late",   "ended" };

static void print(const struct taskset *set, enum protocol protocol,
		  const struct exploration *result)
{
	printf("%s %s %s %u %u", set->name, protocols[protocol], verdicts[result->verdict],
	       result->states, result->cut);
	if (result->verdict == EXPLORED)
		for (unsigned task = 0; task < set->tasks; task++)
			printf(" %u", result->response[task]);
	if (result->verdict == EXPLORED)
		printf(" %u", result->end_to_end);
	printf("\n");
}

int main(int argc, char **argv)
{
	unsigned long limit = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct visited visited;
	struct taskset set;

	if (limit == 0 || limit > 1UL << 28) {
		fprintf(stderr, "usage: simulate STATES <SETS\n"
				"STATES: at most so many for each set and protocol\n");
		return 2;
	}
	if (!visited_create(&visited, (unsigned)limit)) {
		fprintf(stderr, "simulate: no memory for %lu states\n", limit);
		return 2;
	}
	while (taskset_read(&set, stdin)) {
		for (enum protocol protocol = 0; protocol < PROTOCOLS; protocol++) {
			if (is_across(protocol) != set.is_across ||
			    is_under_edf(protocol) != set.is_edf ||
			    (protocol == STACK && set.servers > 0) ||
			    (protocol != CEILING && (set.shared != 0 || set.has_thresholds)) ||
			    (set.word > 0 && protocol != MPCP))
				continue;
			struct exploration result = explore(&set, protocol, &visited);

			print(&set, protocol, &result);
		}
		fflush(stdout);
	}
	visited_destroy(&visited);
	return 0;
}
