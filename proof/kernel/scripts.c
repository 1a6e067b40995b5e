/* SPDX-License-Identifier: MIT */

/*
 * What the actors of the sweep run: resources as user code, as shipped. A file of its own, as user
 * code is, which a change of the kernel leaves as it was compiled.
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

/* A section, and nested ones after it. */
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

/* An inner section after the other. */
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

/* Makes others ready, in a section that none of them can preempt. */
_Noreturn void starter(words *w, uint64_t me)
{
	open(w, R7);
	body(me, R7);
	(void)ActivateTask(T3);
	(void)ActivateTask(M4);
	(void)ActivateTask(T5);
	(void)ActivateTask(T4);
	(void)ActivateTask(M4);
	(void)ActivateTask(M4); /* one too many */
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

/* Makes others ready, which preempt it. */
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

/* Ends, and makes another one ready, until there were a few. */
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

/* Waits for its event, and begins anew: so it waits again. */
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

/* Waits for its event, uses a resource. */
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

/* Waits for it again. */
_Noreturn void waiter_again(words *w, uint64_t me)
{
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	(void)WaitEvent(1);
	end();
}

/* Waits for one event, clears it, and waits for the other, which may be set already. */
_Noreturn void waiter_both(words *w, uint64_t me)
{
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	(void)WaitEvent(2);
	(void)ClearEvent(2);
	end();
}

/* Makes another one ready behind a section. */
_Noreturn void late_activator(words *w, uint64_t me, uint64_t task)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	(void)ActivateTask((TaskType)task);
	end();
}

/* Sets it, in a section. */
_Noreturn void setter(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	(void)SetEvent(E4, 2); /* for which it does not wait */
	(void)SetEvent(E4, 1);
	body(me, a);
	close(w, a);
	end();
}

/* Ends with interrupts held back. */
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

/* Lets go of its internal resource: in a section beyond it, outside, in one below it, and nested.
 */
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
