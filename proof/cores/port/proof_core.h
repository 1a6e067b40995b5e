/* SPDX-License-Identifier: MIT */
#ifndef PROOF_CORE_H
#define PROOF_CORE_H

/* The marks of a core, and the number of the core. */
#include "marks.h"

#include <stdint.h>

enum {
	MARK_LEAVE,  /* leaves the kernel; arguments: 1 + the running task or 0, the result */
	MARK_NOTIFY, /* argument: the core */
	MARK_WAIT_A_LITTLE,
	MARK_STOP,	/* the kernel never comes to this here */
	MARK_HOOK,	/* StartupHook() */
	MARK_PEND,	/* arguments: core, level */
	MARK_HOLD_BACK, /* argument: level */
	MARK_TAKE,
	MARK_END_LEVEL, /* argument: level */
	MARK_RETURNED,	/* returns from the task's half of a service; argument: the result */
};

/* The executing core, from its stack pointer. Each core has its stack in a separate page, which
 * proof/engine/emulator.py places. */
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
