/* SPDX-License-Identifier: MIT */
/*
 * WriteConsole() of os_console.h. It follows a pointer of a task, so it first checks that the task
 * itself may read there. The result holds until the last byte, because no task runs in between and
 * the tables never change.
 */
#include "port.h"
#include "service.h"

struct plf_result plf_write_console(uintptr_t address, uintptr_t size, uintptr_t c,
				    struct plf_core *core)
{
	if (size > PLF_CONSOLE_MOST)
		return plf_status(E_OS_VALUE);
	if (!address)
		return plf_status(E_OS_PARAM_POINTER);
	if (size > 0 && !plf_port_may_read(core->running, address, size))
		return plf_status(E_OS_ILLEGAL_ADDRESS);
	plf_port_write((const char *)address, size);
	return plf_status(E_OK);
}
