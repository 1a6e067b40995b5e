/* SPDX-License-Identifier: MIT */
#ifndef PLF_WAIT_H
#define PLF_WAIT_H

#include <stdint.h>

/*
 * A turn of a spin: at most until another core has written the word, which is `seen` or has changed
 * already. LDAXR arms the monitor; the store that clears it is an event, which ends WFE, as
 * interrupts do. Emulated cores take turns: QEMU gives another one its own at a WFE.
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
