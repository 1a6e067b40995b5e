/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

/* The inline functions that port.h asks of a port. */
#include "offsets.h"
#include "port_core.h"

/* The task runs, so the loaded registers are its own. */
static inline void plf_port_end_context(struct plf_task *task)
{
	task->context->kind = PLF_SAVED_NONE;
	plf_this_port_core()->loaded = PLF_NO_TASK;
}

/* The alarms of autostart are set before, and the rest takes some hundreds. */
enum { PLF_PORT_START_NS = 100000 };

#endif
