/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_CONSOLE_H
#define PLF_OS_CONSOLE_H

/*
 * The console for tasks, if the description has `console = true` in [kernel]. Hooks and interrupt
 * handlers must use plf_port_write() and plf_port_read() of kernel/port.h instead.
 */
#include "os.h"

#if !PLF_CONSOLE
#error "the description has no console: write console = true in [kernel]"
#endif

/*
 * Writes `size` bytes unchanged, 0 to PLF_CONSOLE_MOST: all bytes, or none after an error. Other
 * tasks and interrupts wait meanwhile, and the time grows with `size`.
 *
 * E_OS_VALUE: `size` is too large. E_OS_PARAM_POINTER: NULL. E_OS_ILLEGAL_ADDRESS: the caller may
 * not read some byte, on boards with protection. Standard status has these three, too.
 * E_OS_CALLEVEL: the caller is not a task.
 */
static inline StatusType WriteConsole(const char *text, size_t size)
{
	return (StatusType)plf_call2(PLF_CALL_WRITE_CONSOLE, (uintptr_t)text, size).status;
}

#endif
