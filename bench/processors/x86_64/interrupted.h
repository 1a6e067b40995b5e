/* SPDX-License-Identifier: MIT */
#ifndef BENCH_INTERRUPTED_H
#define BENCH_INTERRUPTED_H

/*
 * Whether an interrupt or a trap came meanwhile. A null selector may have any of four values. When
 * the processor returns from the kernel by IRET, it puts 0 into a data segment register with a null
 * selector. It does so after each interrupt and trap, also a non-maskable interrupt. User code has
 * no other use for GS. FRED returns in another way, so a program must first try whether this works.
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
