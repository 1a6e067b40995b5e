/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

/* The inline functions of port.h. */
#include "controller.h"

static inline void plf_port_end_context(struct plf_task *task)
{
	task->context->has_begun = false;
}

static inline void plf_port_forget_context(struct plf_task *task)
{
	task->context->has_begun = false;
}

/* In ending.c. */
void plf_port_note_end(StatusType status, const char *service);

static inline void plf_port_pend(unsigned core, unsigned level)
{
	plf_controller_pend(core, level);
}

static inline void plf_port_hold_back(unsigned level)
{
	plf_controller_hold_back(level);
}

static inline unsigned plf_port_take(void)
{
	return plf_controller_take();
}

static inline bool plf_port_is_level(unsigned taken)
{
	return taken < PLF_CONTROLLER_LEVELS;
}

static inline unsigned plf_port_level_of(unsigned taken)
{
	return taken;
}

static inline bool plf_port_is_none(unsigned taken)
{
	return taken == PLF_CONTROLLER_NONE;
}

/* The level must belong to the core that executes this. */
static inline void plf_port_end_level(unsigned core, unsigned level)
{
	(void)core;
	plf_controller_end(level);
}

/* The kernel takes no time here. */
enum { PLF_PORT_START_NS = 0 };

#endif
