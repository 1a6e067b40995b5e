/* SPDX-License-Identifier: MIT */

/*
 * Read all notes in the order of time. A section is open from its GRANT to its UNLOCK. At each
 * note, check the rules: no other thread has the resource open, and no open section's ceiling
 * forbids the note's thread to run here.
 */
#include "sections.h"

#include <stdlib.h>

struct open_section {
	int thread; /* -1: closed */
};

/* The diary whose next note is the earliest; -1: all were read. */
static int earliest(const struct diary *diaries, const size_t next[THREADS])
{
	int first = -1;

	for (int i = 0; i < THREADS; i++) {
		if (next[i] == diaries[i].count)
			continue;
		if (first < 0 ||
		    diaries[i].note[next[i]].time_ns < diaries[first].note[next[first]].time_ns)
			first = i;
	}
	return first;
}

static size_t forbidden(const struct diary *diaries, const int ceilings[RESOURCES],
			const struct open_section open[RESOURCES], int thread)
{
	for (int r = 0; r < RESOURCES; r++) {
		int owner = open[r].thread;

		if (owner >= 0 && owner != thread && diaries[owner].cpu == diaries[thread].cpu &&
		    diaries[thread].priority <= ceilings[r])
			return 1;
	}
	return 0;
}

struct verdict judge(const struct diary diaries[THREADS], const int ceilings[RESOURCES])
{
	struct open_section open[RESOURCES];
	size_t next[THREADS] = { 0 };
	struct verdict verdict = { 0 };
	int thread;

	for (int r = 0; r < RESOURCES; r++)
		open[r].thread = -1;
	while ((thread = earliest(diaries, next)) >= 0) {
		const struct note *note = &diaries[thread].note[next[thread]++];

		verdict.overtaken += forbidden(diaries, ceilings, open, thread);
		if (note->kind == GRANT) {
			verdict.sections++;
			verdict.overlaps += open[note->resource].thread >= 0;
			open[note->resource].thread = thread;
		} else if (note->kind == UNLOCK && open[note->resource].thread == thread) {
			open[note->resource].thread = -1;
		}
	}
	return verdict;
}
