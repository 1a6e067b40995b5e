/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "check.h"

/* Interrupts wait for the end of the hook. */
void StartupHook(void)
{
	plf_port_raise(5);
	mark('S');
}

ISR(COMES)
{
	mark('i');
}

void PreTaskHook(void)
{
	mark('<');
}
