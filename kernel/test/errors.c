/* SPDX-License-Identifier: MIT */
/* ErrorHook of most test programs: it notes, or raises interrupts for a task. */
#include "check.h"
#include "kernel/port.h"

void ErrorHook(StatusType status)
{
	if (test.raise) {
		for (uint32_t source = 0; source < 32; source++)
			if (test.raise >> source & 1)
				plf_port_raise(source);
		test.raise = 0;
		return;
	}
	test.errors++;
	test.error = status;
	test.service = OSErrorGetServiceId();
}
