/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

/* Time in user mode. Under -icount shift=0 an instruction takes 1 ns. */
#include <stdint.h>

/* The same as plf_port_now_ns(). */
static inline uint64_t plf_user_now_ns(void)
{
	uint64_t now;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now)::"memory");
	return now;
}

/* Cycles of the core since the start. Under QEMU these are instructions. */
static inline uint64_t plf_user_cycles(void)
{
	uint64_t cycles;

	__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(cycles)::"memory");
	return cycles;
}

/*
 * For a loop that waits for another core. Emulated cores take turns, so without this the turn of
 * that core comes late.
 */
static inline void plf_relax(void)
{
	__asm__ volatile("yield" ::: "memory");
}

/* In shared.S: execute `count` instructions, at least 10, including the call and the return. */
void plf_instructions(uint64_t count);

/* Use the processor for `ns`, at least 10 ns, not counting the instructions that load `ns`. */
static inline void plf_spend(uint64_t ns)
{
	plf_instructions(ns < 10 ? 10 : ns);
}

#define PLF_DRAW_NS 40 /* longest time of a draw: plf_range.h */

#endif
