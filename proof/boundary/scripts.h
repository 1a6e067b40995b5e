/* SPDX-License-Identifier: MIT */
#ifndef PROOF_SCRIPTS_H
#define PROOF_SCRIPTS_H

/*
 * The scripts of the actors of every proof. The driver must first define `words` (an actor's own
 * memory), plain_enter and plain_leave (to enter and leave a lock). A script takes its words, its
 * number, and perhaps a lock.
 *
 * If the locks are constants, the compiler may keep values that it has read, unless the protocol
 * forbids it.
 */
#include "marks.h"

static inline void open(words *w, uint64_t lock)
{
	REPORT(MARK_LOOK, proof_shared.data[lock].count);
	plain_enter(w, lock);
	REPORT(MARK_IN, lock);
}

static inline void body(uint64_t me, uint64_t lock)
{
	change(&proof_shared.data[lock], me, lock);
}

static inline void close(words *w, uint64_t lock)
{
	REPORT(MARK_OUT, lock);
	plain_leave(w, lock);
	REPORT(MARK_LEFT, lock);
}

_Noreturn void bystander(void)
{
	end();
}

_Noreturn void once(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	close(w, a);
	end();
}

_Noreturn void twice(words *w, uint64_t me)
{
	open(w, 0);
	body(me, 0);
	close(w, 0);
	open(w, 0);
	body(me, 0);
	close(w, 0);
	end();
}

_Noreturn void nested2(words *w, uint64_t me)
{
	open(w, 0);
	body(me, 0);
	open(w, 1);
	body(me, 1);
	close(w, 1);
	body(me, 0);
	close(w, 0);
	end();
}

static inline void open_three(words *w, uint64_t me)
{
	open(w, 0);
	body(me, 0);
	open(w, 1);
	body(me, 1);
	open(w, 2);
	body(me, 2);
}

/* The sections end in the order a, b, c. */
static inline _Noreturn void close_three(words *w, uint64_t me, uint64_t a, uint64_t b, uint64_t c)
{
	close(w, a);
	body(me, b);
	close(w, b);
	body(me, c);
	close(w, c);
	end();
}

_Noreturn void nested3(words *w, uint64_t me)
{
	open_three(w, me);
	close_three(w, me, 2, 1, 0);
}

/* Sleeps in its section. */
_Noreturn void sleeper(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	REPORT(MARK_SUSPEND, 0);
	body(me, a);
	close(w, a);
	end();
}

#endif
