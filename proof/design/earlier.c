/* SPDX-License-Identifier: MIT */

/*
 * Compares plf_is_earlier() with true instants, which do not wrap. The answer must be right if two
 * instants are less than half the range apart; otherwise it cannot be. With NARROW, its text uses a
 * type of so many bits, and all pairs are tried. Without, it uses 64 bits, and pairs at and beside
 * each power of two are tried.
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

#define PLF_WORD_H /* replaces word.h: plf_is_earlier() uses none of its words */
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

/* True time, which does not wrap. */
#ifdef NARROW
typedef long instant;
#else
typedef __int128 instant;
#endif

static unsigned long pairs, wrong;

/* Compares two instants, `apart` ticks apart. The clock shows the first as `shown`. */
static void look(uint64_t shown, instant apart)
{
	instant half = (instant)1 << (8 * sizeof(uint64_t) - 1);
	bool is_near = -half < apart && apart < half;
	bool answer = plf_is_earlier((uint64_t)((instant)shown + apart), shown);

	pairs++;
	if (is_near && answer != (apart < 0))
		wrong++;
	/* At exactly half the range, both directions are equally far. The answer is defined as
	 * true.
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
