/* SPDX-License-Identifier: MIT */
/* The application SAFE: other applications cannot change its data. */
#include "foul_applications.h"

volatile uint32_t safe_value = SAFES;
volatile uint32_t safe_zeros[MANY];
static volatile uint32_t hidden = SAFES;
volatile uint32_t *const safe_hidden = &hidden;

TASK(VICTIM)
{
	static volatile uint32_t rounds;

	EXPECT(safe_value, SAFES + rounds);
	EXPECT(hidden, SAFES);
	EXPECT(safe_marked, SAFES);
	for (unsigned i = 0; i < MANY; i++)
		EXPECT(safe_zeros[i], rounds);
	rounds++;
	safe_value++;
	for (unsigned i = 0; i < MANY; i++)
		safe_zeros[i]++;
	TerminateTask();
}
