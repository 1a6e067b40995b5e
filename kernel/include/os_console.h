/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_CONSOLE_H
#define PLF_OS_CONSOLE_H

/*
 * For tasks, the console of a description with `console = true` in [kernel]. Hooks and interrupt
 * handlers have plf_port_write() and plf_port_read() of kernel/port.h instead.
 */
#include "os.h"

#if !PLF_CONSOLE
#error "the description has no console: write console = true in [kernel]"
#endif

/*
 * Writes `size` bytes, 0 to PLF_CONSOLE_MOST, as they are: all of them, or after an error none.
 * Other tasks and interrupts wait meanwhile, for a time that grows with `size`.
 *
 * E_OS_VALUE: more bytes; E_OS_PARAM_POINTER: NULL; E_OS_ILLEGAL_ADDRESS: some that the caller
 * may not read, on boards with protection. All three in standard status, too. E_OS_CALLEVEL: the
 * caller is no task.
 */
static inline StatusType WriteConsole(const char *text, size_t size)
{
	return (StatusType)plf_call2(PLF_CALL_WRITE_CONSOLE, (uintptr_t)text, size).status;
}

#endif
