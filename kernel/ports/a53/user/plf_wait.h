/* SPDX-License-Identifier: MIT */
#ifndef PLF_WAIT_H
#define PLF_WAIT_H

#include <stdint.h>

/*
 * A turn of a spin. It ends at the latest when another core writes the word, and at once if the
 * word is not `seen`. LDAXR arms the monitor. A store that clears the monitor is an event, which
 * ends WFE, as interrupts do. Emulated cores take turns, and QEMU switches to another core at a
 * WFE.
 */
static inline void plf_await_change(const uint64_t *word, uint64_t seen)
{
	uint64_t now;

	__asm__ volatile("	ldaxr	%[now], %[word]\n"
			 "	cmp	%[now], %[seen]\n"
			 "	b.ne	1f\n"
			 "	wfe\n"
			 "1:"
			 : [now] "=&r"(now)
			 : [word] "Q"(*word), [seen] "r"(seen)
			 : "memory", "cc");
}

#endif
