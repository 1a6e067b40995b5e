/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COUNTER_H
#define BENCH_COUNTER_H

/* The counter of AArch64 that user code reads: the virtual counter of its generic timer. */
#include <cstdint>

namespace bench
{

/* The count between two readings with no code between them. */
constexpr std::uint64_t READING = 2;

/* Two instructions, of which the first reads the count. */
inline void read_count(std::uint64_t &count)
{
	__asm__ volatile("mrs	x16, cntvct_el0\n\t"
			 "str	x16, %[count]"
			 : [count] "=m"(count)
			 :
			 : "x16", "memory");
}

/* 2 instructions for each turn, and 1. */
inline void turn(const std::uint64_t &turns)
{
	__asm__ volatile("ldr	x16, %[turns]\n"
			 "1:\n\t"
			 "subs	x16, x16, #1\n\t"
			 "b.ne	1b"
			 :
			 : [turns] "m"(turns)
			 : "x16", "cc");
}

} // namespace bench

#endif
