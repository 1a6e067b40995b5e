/* SPDX-License-Identifier: MIT */

/*
 * plf_is_earlier() against true instants, which have no end: right for every two that are less
 * than half the range apart, and for no others. NARROW: its text with a type of so many bits, all
 * pairs; else 64 bits, pairs at and beside each power of two.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#if NARROW == 8
#define uint64_t uint8_t
#define int64_t	 int8_t
#elif NARROW == 16
#define uint64_t uint16_t
#define int64_t	 int16_t
#endif

#define PLF_WORD_H /* its words are not looked at */
static inline uint64_t plf_load64(const uint64_t *word)
{
	return *word;
}

static inline void plf_store64(uint64_t *word, uint64_t value)
{
	*word = value;
}

static inline void plf_barrier(void)
{
}

#include "lazy_floor.h"

/* True time, which has no end. */
#ifdef NARROW
typedef long instant;
#else
typedef __int128 instant;
#endif

static unsigned long pairs, wrong;

/* Two instants, so far apart, the first of which the clock shows as `shown`. */
static void look(uint64_t shown, instant apart)
{
	instant half = (instant)1 << (8 * sizeof(uint64_t) - 1);
	bool is_near = -half < apart && apart < half;
	bool answer = plf_is_earlier((uint64_t)((instant)shown + apart), shown);

	pairs++;
	if (is_near && answer != (apart < 0))
		wrong++;
	/* At half the range and beyond, the other instant of the same sight is nearer, or as near.
	 */
	if (apart == half && answer != true)
		wrong++;
}

int main(void)
{
#ifdef NARROW
	instant range = (instant)1 << NARROW;

	for (instant shown = 0; shown < range; shown++)
		for (instant apart = -range / 2 + 1; apart <= range / 2; apart++)
			look((uint64_t)shown, apart);
#else
	for (unsigned a = 0; a < 64; a++)
		for (int da = -2; da <= 2; da++)
			for (unsigned b = 0; b < 64; b++)
				for (int db = -2; db <= 2; db++)
					for (int sign = -1; sign <= 1; sign += 2) {
						instant apart = sign * (((instant)1 << b) + db);

						if (apart <= (instant)1 << 63)
							look(((uint64_t)1 << a) +
								     (uint64_t)(int64_t)da,
							     apart);
					}
#endif
	printf("pairs %lu wrong %lu\n", pairs, wrong);
	return 0;
}
