/* SPDX-License-Identifier: MIT */
#include "os.h"

volatile uint32_t longs;

/* Takes some microseconds, longer than the time between two slots. */
ISR(LONG)
{
	for (unsigned i = 0; i < 800; i++)
		longs++;
}
