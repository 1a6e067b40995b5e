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

/* Cycles of the core since the start: of QEMU, instructions. */
static inline uint64_t plf_user_cycles(void)
{
	uint64_t cycles;

	__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(cycles)::"memory");
	return cycles;
}

/* Another core is waited for. Emulated cores take turns: without this its turn comes late. */
static inline void plf_relax(void)
{
	__asm__ volatile("yield" ::: "memory");
}

/* In shared.S: execute so many instructions, the call and the return among them, at least 10. */
void plf_instructions(uint64_t count);

/* Use the processor for so long, 10 ns at least, not counting what puts `ns` into a register. */
static inline void plf_spend(uint64_t ns)
{
	plf_instructions(ns < 10 ? 10 : ns);
}

#define PLF_DRAW_NS 40 /* how long a draw takes at most: plf_range.h */

#endif
