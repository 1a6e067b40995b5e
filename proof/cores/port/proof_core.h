/* SPDX-License-Identifier: MIT */
#ifndef PROOF_CORE_H
#define PROOF_CORE_H

/* What a core reports, and which one it is. */
#include "marks.h"

#include <stdint.h>

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
	MARK_RETURNED,	/* the task from its half of a service; argument: what it returns */
};

/* Each core has its stack in a page of its own: proof/engine/emulator.py. */
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

#endif
