/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"
#include "os.h"

extern volatile uint64_t interrupt_ns;

/* Keep the processor for `interrupt_ns`. */
ISR(LONG)
{
	uint64_t until_ns = plf_port_now_ns() + interrupt_ns;

	while (plf_port_now_ns() < until_ns)
		;
}
