/* SPDX-License-Identifier: MIT */
#ifndef PLF_CPU_H
#define PLF_CPU_H

/* The CPU of the calling thread. */
#include <stdint.h>
#include <sys/rseq.h>

/* The one CPU to which it is pinned; -1: there is none. errno keeps its value. */
int plf_pinned_cpu(void);

/* Where the kernel says on which CPU it is. The C library registers that, if `__rseq_size` != 0. */
static inline struct rseq *plf_rseq_area(void)
{
	return (struct rseq *)((uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset);
}

#endif
