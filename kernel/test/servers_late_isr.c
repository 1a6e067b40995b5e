/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"
#include "os.h"

volatile uint32_t longs;
extern volatile uint64_t longest_ended_ns;

/*
 * Takes some microseconds, longer than the time between two slots. Each fourth interrupt is longer,
 * up to some periods.
 */
ISR(LONG)
{
	static unsigned calls;
	unsigned loops = ++calls % 4 ? 800 : 800 + calls % 32 * 400;

	for (unsigned i = 0; i < loops; i++)
		longs++;
	if (loops > 800)
		longest_ended_ns = plf_port_now_ns();
}
