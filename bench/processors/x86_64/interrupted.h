/* SPDX-License-Identifier: MIT */
#ifndef BENCH_INTERRUPTED_H
#define BENCH_INTERRUPTED_H

/*
 * Has an interrupt or a trap come meanwhile? A null selector may have any of four values. The
 * processor puts 0 into a data segment register with a null selector as it returns from the kernel
 * by IRET, as after each interrupt and trap, non-maskable ones too. User code has no other use for
 * GS. FRED returns in another way: so a program tries first whether it works.
 */
#include <stdbool.h>

enum { NULL_SELECTOR = 3 };

static inline void watch_interrupts(void)
{
	__asm__ volatile("movl %0, %%gs" : : "r"(NULL_SELECTOR) : "memory");
}

static inline bool was_interrupted(void)
{
	unsigned int selector;

	__asm__ volatile("movl %%gs, %0" : "=r"(selector) : : "memory");
	return selector != NULL_SELECTOR;
}

#endif
