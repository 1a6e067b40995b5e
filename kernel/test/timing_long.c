/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"
#include "timing.h"

/* Does nothing on sim, because the time stands. */
static void take_long(uint64_t ns)
{
	uint64_t began_at_ns = plf_port_now_ns();

	while (PLF_PORT_START_NS && plf_port_now_ns() - began_at_ns < ns)
		;
}

void PreTaskHook(void)
{
	take_long(HOOK_NS);
}

void PostTaskHook(void)
{
	take_long(HOOK_NS);
}

ISR(LONG)
{
	mark('l');
	take_long(LONG_NS);
}
