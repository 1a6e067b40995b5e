/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

/* The model's machine. Marks ask the interrupt controller, and a word has the interrupt that was
 * taken. */
#include "proof_core.h"

enum { PROOF_LEVELS = 32, PROOF_NONE = 1023 };
static uint32_t proof_taken[PLF_CPUS];

static inline void plf_port_note_end(StatusType status, const char *service)
{
	(void)status, (void)service;
}

static inline void plf_port_end_context(struct plf_task *task)
{
	(void)task;
}

static inline void plf_port_pend(unsigned core, unsigned level)
{
	CALL(MARK_PEND, core, level);
}

static inline void plf_port_hold_back(unsigned level)
{
	CALL(MARK_HOLD_BACK, level, 0);
}

static inline unsigned plf_port_take(void)
{
	CALL(MARK_TAKE, 0, 0);
	return *(volatile uint32_t *)&proof_taken[proof_core()];
}

static inline bool plf_port_is_level(unsigned taken)
{
	return taken < PROOF_LEVELS;
}

static inline unsigned plf_port_level_of(unsigned taken)
{
	return taken;
}

static inline bool plf_port_is_none(unsigned taken)
{
	return taken == PROOF_NONE;
}

static inline void plf_port_end_level(unsigned core, unsigned level)
{
	(void)core;
	CALL(MARK_END_LEVEL, level, 0);
}

#endif
