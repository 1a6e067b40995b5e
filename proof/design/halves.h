/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_HALVES_H
#define DESIGN_HALVES_H

/*
 * Every half of a protocol under a number, with the same signature. So a half can run both as
 * shipped and as in the models. Each shared word takes 8 bytes of `w`; the kernel's own values
 * follow them.
 */
#include <stdbool.h>
#include <stdint.h>

#if defined(LAZY_CEILING)
#include "lazy_claim.h"
#elif defined(LAZY_FLOOR)
#include "lazy_floor.h"
#elif defined(LAZY_GLOBAL)
#include "lazy_global.h"
#elif defined(UPRIO_KPRIO)
#include "uprio_kprio.h"
#elif defined(UPRIO_NPRIO)
#include "uprio_nprio.h"
#endif

enum { FIRST_KEPT = 2, WORDS = 10 };

typedef uint64_t half_of(uint64_t *w, uint64_t a, uint64_t b);

#define NARROW(n) ((uint32_t *)&w[n])
#define HALF(name, ...)                                                                            \
	static uint64_t name(uint64_t *w, uint64_t a, uint64_t b)                                  \
	{                                                                                          \
		(void)w, (void)a, (void)b;                                                         \
		return __VA_ARGS__;                                                                \
	}

#if defined(LAZY_CEILING)

HALF(enter, plf_claim_enter(NARROW(0), (uint32_t)a))
HALF(leave, plf_claim_leave(NARROW(0), NARROW(1), (uint32_t)a))
HALF(entered_simply, plf_claim_entered_simply(NARROW(1), (uint32_t)a))
HALF(leave_simply, plf_claim_leave_simply(NARROW(0), NARROW(1), (uint32_t)a))
HALF(raised, plf_claim_raise(NARROW(0), NARROW(1), (uint32_t)a, (uint32_t)b))
HALF(raised_simply, plf_claim_raise_simply(NARROW(0), NARROW(1), (uint32_t)a, (uint32_t)b))
HALF(settled, plf_claim_settle(NARROW(0), NARROW(1), (uint32_t)a, (uint32_t)b))
HALF(settled_simply, plf_claim_settle_simply(NARROW(0), NARROW(1), (uint32_t)a, (uint32_t)b))
#define TASK_HALVES   enter, leave, entered_simply, leave_simply
#define KERNEL_HALVES raised, raised_simply, settled, settled_simply

#elif defined(LAZY_FLOOR)

#define KEPT	      ((struct plf_floor *)(void *)&w[FIRST_KEPT])
_Static_assert(sizeof(struct plf_floor) <= (WORDS - FIRST_KEPT) * sizeof(uint64_t), "it fits");

static uint64_t settled_after(uint64_t *w, bool must_call)
{
	plf_floor_settle(KEPT, &w[0], &w[1], 1);
	return must_call;
}

HALF(enter, plf_floor_enter(&w[0], a))
HALF(leave, plf_floor_leave(&w[0], &w[1], a))
HALF(begun, (plf_floor_begin(KEPT, a), 0))
HALF(raised, (plf_floor_begin(KEPT, a), plf_floor_raise(KEPT, &w[0], &w[1], b, 1)))
HALF(settled, (plf_floor_begin(KEPT, a), plf_floor_raise(KEPT, &w[0], &w[1], b, 1),
	       settled_after(w, plf_floor_leave(&w[0], &w[1], 3))))
#define TASK_HALVES   enter, leave
#define KERNEL_HALVES begun, raised, settled

#elif defined(LAZY_GLOBAL)

#define GLOBAL	      ((struct plf_lazy_global *)(void *)w)
_Static_assert(sizeof(struct plf_lazy_global) <= WORDS * sizeof(uint64_t), "it fits");

/* The clock shows the value of a word in `w`. */
static const uint64_t *the_clock;

static uint64_t read_clock(void)
{
	return plf_load64(the_clock);
}

HALF(look, plf_lazy_global_look(GLOBAL))
HALF(test, (the_clock = &w[1], plf_lazy_global_suffices(GLOBAL, read_clock)))
HALF(enter, (plf_lazy_global_enter(GLOBAL, (uint32_t)a, (uint32_t)b), 0))
HALF(leave, plf_lazy_global_leave(GLOBAL, (uint32_t)a))
HALF(bounded, plf_lazy_global_bound(GLOBAL, (uint32_t)a, (uint32_t)b))
HALF(published, (plf_lazy_global_publish(GLOBAL, a, (uint32_t)b, 2), 0))
#define TASK_HALVES   look, test, enter, leave
#define KERNEL_HALVES bounded, published

#elif defined(UPRIO_KPRIO)

HALF(raise, (plf_kprio_raise(NARROW(0), (uint32_t)a), 0))
HALF(lower, plf_kprio_lower(NARROW(0), NARROW(1), (uint32_t)a))
HALF(synchronised, plf_kprio_sync(NARROW(0), NARROW(1), (uint32_t)a, (uint32_t)b))
#define TASK_HALVES   raise, lower
#define KERNEL_HALVES synchronised

#elif defined(UPRIO_NPRIO)

HALF(raise, (plf_nprio_raise(NARROW(0), (uint32_t)a), 0))
HALF(lower, plf_nprio_lower(NARROW(0), NARROW(1), (uint32_t)a))
HALF(published, (plf_nprio_publish(NARROW(1), (uint32_t)a), 0))
HALF(bounded, plf_nprio_bound(NARROW(0), (uint32_t)a, (uint32_t)b))
#define TASK_HALVES   raise, lower
#define KERNEL_HALVES published, bounded

#endif

static half_of *const task_halves[] = { TASK_HALVES };
static half_of *const kernel_halves[] = { KERNEL_HALVES };

enum { TASK_COUNT = sizeof(task_halves) / sizeof(*task_halves) };
enum { KERNEL_COUNT = sizeof(kernel_halves) / sizeof(*kernel_halves) };

#endif
