/* SPDX-License-Identifier: MIT */

/*
 * Runs the halves as the models do: a task's half makes one access at a time, and starts again for
 * each. Reads lines of half, a, b and the words. Prints the accesses of a task's half, its result,
 * and the words after it.
 */
#define LOGGED uint64_t
#include "replay.h"

#include "halves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t words[WORDS];

static void note_access(enum access kind, const void *word, uint64_t value)
{
	printf("%c%td=%" PRIu64 " ", kind == ACCESS_STORE ? 'W' : 'R',
	       (const uint64_t *)word - words, value);
}

static _Noreturn void note_endless(void)
{
	abort();
}

/* Makes one step; returns whether it was the last. */
static bool stepped(struct half *half, uint64_t which, uint64_t a, uint64_t b, uint64_t *result)
{
	replay.half = half;
	replay.place = 0;
	replay.has_moved = false;
	if (setjmp(replay.stop) != 0)
		return false;
	*result = task_halves[which](words, a, b);
	return true;
}

int main(void)
{
	uint64_t which, a, b;

	while (scanf("%" SCNu64 "%" SCNu64 "%" SCNu64, &which, &a, &b) == 3) {
		struct half half = { 0 };
		uint64_t result = 0;

		for (unsigned i = 0; i < WORDS; i++)
			if (scanf("%" SCNu64, &words[i]) != 1)
				return 1;
		if (which < TASK_COUNT) {
			while (!stepped(&half, which, a, b, &result))
				;
		} else {
			replay.half = NULL;
			result = kernel_halves[which - TASK_COUNT](words, a, b);
		}
		printf("-> %" PRIu64, result);
		for (unsigned i = 0; i < WORDS; i++)
			printf(" %" PRIu64, words[i]);
		putchar('\n');
	}
	return 0;
}
