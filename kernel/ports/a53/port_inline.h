/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

/* The inline functions of port.h. */
#include "domain.h"
#include "gic.h"
#include "offsets.h"
#include "port_core.h"

/* Nothing to do, because a debugger can look. */
static inline void plf_port_note_end(StatusType status, const char *service)
{
	(void)status, (void)service;
}

/* The task runs, so the loaded registers belong to it. */
static inline void plf_port_end_context(struct plf_task *task)
{
	task->context->kind = PLF_SAVED_NONE;
	plf_this_port_core()->loaded = PLF_NO_TASK;
	if (PLF_PROTECTED_FUNCTIONS)
		plf_forget_calls(task);
}

static inline void plf_port_forget_context(struct plf_task *task)
{
	task->context->kind = PLF_SAVED_NONE;
	if (PLF_PROTECTED_FUNCTIONS)
		plf_forget_calls(task);
}

/* ---- The hardware scheduler: gic.h ---------------------------------------------- */

/* The last barrier is for this core, because plf_port_take() must find the source pending. */
static inline void plf_port_pend(unsigned core, unsigned level)
{
	if (PLF_CPUS > 1)
		plf_dsb();
	plf_device_write(plf_gic_levels_of(core), 1u << level);
	plf_dsb();
}

static inline void plf_port_hold_back(unsigned level)
{
	plf_gic_hold_back(level);
}

static inline unsigned plf_port_take(void)
{
	return plf_gic_acknowledge();
}

static inline bool plf_port_is_level(unsigned taken)
{
	return taken & PLF_GIC_IS_LEVEL;
}

static inline unsigned plf_port_level_of(unsigned taken)
{
	return taken % PLF_GIC_LEVELS;
}

static inline bool plf_port_is_none(unsigned taken)
{
	return taken & PLF_GIC_IS_NONE;
}

static inline void plf_port_end_level(unsigned core, unsigned level)
{
	plf_gic_end(PLF_GIC_TASKS + PLF_GIC_LEVELS * core + level);
}

/* Alarms of autostart are set before, and the rest of the start takes some hundred ns. */
enum { PLF_PORT_START_NS = 100000 };

#endif
