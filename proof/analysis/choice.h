/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_CHOICE_H
#define ANALYSIS_CHOICE_H

/* Run straight-line code once for each combination of its choices:
 *
 *	struct choices choices = { 0 };
 *	do
 *		... choose(&choices, 3) ...
 *	while (choices_next(&choices));
 */
#include <assert.h>
#include <stdbool.h>

#define MAX_CHOICES 16

struct choices {
	unsigned char taken[MAX_CHOICES];
	unsigned char of[MAX_CHOICES];
	unsigned used;
	unsigned known;
};

/* Returns a number below n. */
static inline unsigned choose(struct choices *choices, unsigned n)
{
	if (n == 1)
		return 0;
	assert(n > 1 && choices->used < MAX_CHOICES);
	if (choices->used == choices->known) {
		choices->taken[choices->known] = 0;
		choices->of[choices->known++] = (unsigned char)n;
	}
	return choices->taken[choices->used++];
}

/* Advances to the next combination; false after the last. */
static inline bool choices_next(struct choices *choices)
{
	choices->used = 0;
	while (choices->known > 0) {
		unsigned last = choices->known - 1;

		if (++choices->taken[last] < choices->of[last])
			return true;
		choices->known--;
	}
	return false;
}

#endif
