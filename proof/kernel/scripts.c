/* SPDX-License-Identifier: MIT */

/*
 * Scripts of the sweep's actors, with resources in user code as shipped. They are a separate file,
 * as user code is, so that a change of the kernel leaves their machine code as it was.
 */
#include <stdbool.h>
#include <stdint.h>

#define inline inline __attribute__((always_inline))
#include "driver.h"

struct shared proof_shared;

typedef void words;

static inline void plain_enter(words *w, uint64_t lock)
{
	(void)w;
	(void)GetResource((ResourceType)lock);
}

static inline void plain_leave(words *w, uint64_t lock)
{
	(void)w;
	(void)ReleaseResource((ResourceType)lock);
}

#include "scripts.h"

static inline _Noreturn void nest(words *w, uint64_t me, uint64_t a, uint64_t b, uint64_t c)
{
	open(w, a);
	body(me, a);
	open(w, b);
	body(me, b);
	open(w, c);
	body(me, c);
	close(w, c);
	body(me, b);
	close(w, b);
	body(me, a);
	close(w, a);
	end();
}

_Noreturn void flat(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	open(w, R3);
	body(me, R3);
	close(w, R3);
	end();
}

_Noreturn void rising(words *w, uint64_t me)
{
	nest(w, me, R3, R5, R7);
}

_Noreturn void falling(words *w, uint64_t me)
{
	nest(w, me, R7, R5, R3);
}

_Noreturn void saddle(words *w, uint64_t me)
{
	nest(w, me, R5, R3, R7);
}

_Noreturn void equal(words *w, uint64_t me)
{
	nest(w, me, R5, R5B, R5C);
}

/* A section, and nested sections after it. */
_Noreturn void sequel(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	open(w, R3);
	open(w, R7);
	body(me, R7);
	close(w, R7);
	body(me, R3);
	close(w, R3);
	end();
}

/* A section with two inner sections, one after the other. */
_Noreturn void comb(words *w, uint64_t me)
{
	open(w, R3);
	open(w, R7);
	body(me, R7);
	close(w, R7);
	open(w, R5);
	body(me, R5);
	close(w, R5);
	body(me, R3);
	close(w, R3);
	end();
}

/* ---- The rest of the kernel --------------------------------------------- */

/* Activate tasks in a section that none of them can preempt. */
_Noreturn void starter(words *w, uint64_t me)
{
	open(w, R7);
	body(me, R7);
	(void)ActivateTask(T3);
	(void)ActivateTask(M4);
	(void)ActivateTask(T5);
	(void)ActivateTask(T4);
	(void)ActivateTask(M4);
	(void)ActivateTask(M4); /* E_OS_LIMIT */
	(void)ActivateTask(E4);
	(void)ActivateTask(T6);
	close(w, R7);
	end();
}

/* Is preempted in each of its nested sections. */
_Noreturn void riser(words *w, uint64_t me)
{
	open(w, R3);
	(void)ActivateTask(T5);
	body(me, R3);
	open(w, R5);
	(void)ActivateTask(T6);
	body(me, R5);
	open(w, R7);
	(void)ActivateTask(T8);
	body(me, R7);
	close(w, R7);
	body(me, R5);
	close(w, R5);
	body(me, R3);
	close(w, R3);
	end();
}

/* Activate tasks that preempt the caller. */
_Noreturn void activator(words *w, uint64_t me)
{
	(void)ActivateTask(M4);
	open(w, R5);
	body(me, R5);
	(void)ActivateTask(T5);
	close(w, R5);
	(void)ActivateTask(T1);
	end();
}

static inline _Noreturn void chain(uint64_t task)
{
	(void)ChainTask((TaskType)task);
	for (;;)
		;
}

/* End and chain to `task`, until R5's data were changed three times. */
_Noreturn void chainer(words *w, uint64_t me, uint64_t task)
{
	bool is_last;

	open(w, R5);
	body(me, R5);
	is_last = proof_shared.data[R5].count > 2;
	close(w, R5);
	if (is_last)
		end();
	chain(task);
}

/* Wait for an event, then chain, so that the next activation waits again. */
_Noreturn void waiter_chainer(words *w, uint64_t me, uint64_t task)
{
	bool is_last;

	(void)WaitEvent(1);
	open(w, R5);
	body(me, R5);
	is_last = proof_shared.data[R5].count > 1;
	close(w, R5);
	if (is_last)
		end();
	chain(task);
}

/* Wait for the event between two sections. */
_Noreturn void waiter(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	close(w, a);
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	open(w, a);
	body(me, a);
	close(w, a);
	end();
}

/* Wait twice for the same event. */
_Noreturn void waiter_again(words *w, uint64_t me)
{
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	(void)WaitEvent(1);
	end();
}

/* Wait for one event, clear it, and wait for the other, which may be set already. */
_Noreturn void waiter_both(words *w, uint64_t me)
{
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	(void)WaitEvent(2);
	(void)ClearEvent(2);
	end();
}

/* Activate a task after a section. */
_Noreturn void late_activator(words *w, uint64_t me, uint64_t task)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	(void)ActivateTask((TaskType)task);
	end();
}

/* Set events of E4 in a section. */
_Noreturn void setter(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	(void)SetEvent(E4, 2); /* E4 may not be waiting for it */
	(void)SetEvent(E4, 1);
	body(me, a);
	close(w, a);
	end();
}

/* End with interrupts masked. */
_Noreturn void masker(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	SuspendAllInterrupts();
	if (!is_masked)
		REPORT(MARK_REFUSED, 0);
	end();
}

/* Yield inside a section above the internal resource, outside, and inside a section below it. */
_Noreturn void yielder(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	(void)Schedule();
	close(w, R5);
	(void)Schedule();
	open(w, R3);
	body(me, R3);
	(void)Schedule();
	body(me, R3);
	close(w, R3);
	end();
}

_Noreturn void nested_yielder(words *w, uint64_t me)
{
	open(w, R3);
	body(me, R3);
	open(w, R5);
	(void)Schedule();
	body(me, R5);
	close(w, R5);
	(void)Schedule();
	body(me, R3);
	close(w, R3);
	(void)Schedule();
	end();
}
