/* SPDX-License-Identifier: MIT */
#ifndef PLF_CPU_H
#define PLF_CPU_H

/* The CPU of the calling thread. */
#include <stdint.h>
#include <sys/rseq.h>

/* The one CPU to which it is pinned; -1: it is not pinned to one. errno keeps its value. */
int plf_pinned_cpu(void);

/*
 * The kernel keeps the thread's present CPU here. The C library registers this area if
 * `__rseq_size` is not 0.
 */
static inline struct rseq *plf_rseq_area(void)
{
	return (struct rseq *)((uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset);
}

#endif
