/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COUNTER_H
#define BENCH_COUNTER_H

/* The counter of x86-64 that user code reads: the time stamp counter. */
#include <cstdint>

namespace bench
{

/* The count between two readings with no code between them. */
constexpr std::uint64_t READING = 4;

/* Four instructions, of which the first reads the count. */
inline void read_count(std::uint64_t &count)
{
	__asm__ volatile("rdtsc\n\t"
			 "shlq $32, %%rdx\n\t"
			 "orq %%rdx, %%rax\n\t"
			 "movq %%rax, %[count]"
			 : [count] "=m"(count)
			 :
			 : "rax", "rdx", "memory", "cc");
}

/* 2 instructions for each turn, and 1. */
inline void turn(const std::uint64_t &turns)
{
	__asm__ volatile("movq %[turns], %%rcx\n\t"
			 "1:\n\t"
			 "decq %%rcx\n\t"
			 "jnz 1b"
			 :
			 : [turns] "m"(turns)
			 : "rcx", "cc");
}

} // namespace bench

#endif
