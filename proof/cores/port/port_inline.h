/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

/* The model's machine. The interrupt controller is asked by marks; what was taken is in a word. */
#include "marks.h"

enum {
	MARK_LEAVE,  /* the kernel; arguments: 1 + the running task or 0, what it returns */
	MARK_NOTIFY, /* argument: the core */
	MARK_WAIT_A_LITTLE,
	MARK_STOP,	/* the kernel never comes to this here */
	MARK_HOOK,	/* StartupHook() */
	MARK_PEND,	/* arguments: core, level */
	MARK_HOLD_BACK, /* argument: level */
	MARK_TAKE,
	MARK_END_LEVEL, /* argument: level */
};

enum { PROOF_LEVELS = 32, PROOF_NONE = 1023 };
static uint32_t proof_taken[PLF_CPUS];

/* Each core has the kernel's stack in a page of its own: proof/engine/emulator.py. */
static inline unsigned proof_core(void)
{
	uintptr_t stack;

#if defined(__x86_64__)
	__asm__("mov %%rsp, %0" : "=r"(stack));
#else
	__asm__("mov %0, sp" : "=r"(stack));
#endif
	return (unsigned)((stack - 0x70000000) >> 20);
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
