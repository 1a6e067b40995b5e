/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_ERRORS_H
#define PLF_TEST_ERRORS_H

/* The action of ErrorHook: it notes the error, or raises interrupts for a task. */
#include "check.h"
#include "kernel/port.h"

static inline void note_error(StatusType status)
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

#endif
