/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

/* What port.h asks of a port as an inline function. */
#include "offsets.h"
#include "port_core.h"

/* It runs, so what is loaded is its registers. */
static inline void plf_port_end_context(struct plf_task *task)
{
	task->context->kind = PLF_SAVED_NONE;
	plf_this_port_core()->loaded = PLF_NOBODY;
}

/* The contexts of 250 tasks are prepared in a fifth of that. */
enum { PLF_PORT_START_NS = 100000 };

#endif
