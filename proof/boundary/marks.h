/* SPDX-License-Identifier: MIT */
#ifndef PROOF_MARKS_H
#define PROOF_MARKS_H

/*
 * Marks: traps by which an actor reports to the model, or asks it. REPORT clobbers no memory,
 * because it must not hide a compiler barrier that the protocol lacks. CALL stands for a system
 * call, or a call into the rest of the kernel.
 */
#include <stdint.h>

enum {
	MARK_LOOK,    /* outside a section, with a value that was read there */
	MARK_IN,      /* inside; argument: the lock */
	MARK_CHANGED, /* the data of that lock were changed, once */
	MARK_TORN,    /* the data were seen half written */
	MARK_OUT,     /* about to leave */
	MARK_LEFT,    /* has left */
	MARK_REFUSED, /* this actor must not use that lock */
	MARK_END,     /* end of the script */
	MARK_SUSPEND, /* sleeps until it is woken */
	MARK_WAIT,    /* sleeps if the lock's word still has the value of the second argument */
	MARK_WAKE,    /* wakes all waiters of that lock */
	MARK_LOWER,   /* asks the kernel's half for its priority */
	MARK_SET_PRIORITY, /* argument: the priority */
	MARK_PREEMPT_OFF,
	MARK_PREEMPT_ON,
	MARK_COUNTED, /* as CHANGED, reported after the fact */
	MARK_DETOUR,  /* the fast path refused */
};

#if defined(__x86_64__)

#define TRAP(what, first, second, ...)                                                             \
	do {                                                                                       \
		register uint64_t a_ __asm__("rdi") = (uint64_t)(first);                           \
		register uint64_t b_ __asm__("rsi") = (uint64_t)(second);                          \
		__asm__ volatile("int %[mark]"                                                     \
				 :                                                                 \
				 : "r"(a_), "r"(b_), [mark] "i"(0x40 + (what))                     \
				 : __VA_ARGS__);                                                   \
	} while (0)

#else

#define TRAP(what, first, second, ...)                                                             \
	do {                                                                                       \
		register uint64_t a_ __asm__("x0") = (uint64_t)(first);                            \
		register uint64_t b_ __asm__("x1") = (uint64_t)(second);                           \
		__asm__ volatile("svc %[mark]"                                                     \
				 :                                                                 \
				 : "r"(a_), "r"(b_), [mark] "i"(0x40 + (what))                     \
				 : __VA_ARGS__);                                                   \
	} while (0)

#endif

#define REPORT(what, argument)	  TRAP(what, argument, 0)
#define CALL(what, first, second) TRAP(what, first, second, "memory")

/* The memory that actors change together. Each driver has an array proof_pieces of it. */
struct piece {
	const void *start;
	const void *end;
};

#define PIECE(variable)                                                                            \
	{                                                                                          \
		&(variable), &(variable) + 1                                                       \
	}

/*
 * Plain data behind each lock. The fields are apart, so that no store writes both ends at once. No
 * word of a protocol has their type. Otherwise type-based aliasing could hide that a compiler
 * barrier is missing.
 */
struct guarded {
	uint16_t first __attribute__((aligned(32)));
	uint16_t count __attribute__((aligned(32)));
	uint16_t second __attribute__((aligned(32)));
};

static inline __attribute__((always_inline)) void change(struct guarded *d, uint64_t me,
							 uint64_t lock)
{
	if (d->first != d->second)
		REPORT(MARK_TORN, lock);
	d->first = (uint16_t)(d->first + me);
	d->count++;
	d->second = (uint16_t)(d->second + me);
	REPORT(MARK_CHANGED, lock);
}

static inline __attribute__((always_inline)) _Noreturn void end(void)
{
	REPORT(MARK_END, 0);
	for (;;)
		;
}

#endif
