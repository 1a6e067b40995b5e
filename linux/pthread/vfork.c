/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * vfork(): until it executes a program, the child runs in the memory of its parent, which sleeps.
 * So it has the thread-local words of the parent's thread, but neither its TID nor restartable
 * sequences. Invariant: a child changes no word of its parent's thread. So sections are committed
 * before vfork(), and the hooks of a thread whose words are lent check which thread runs.
 */
#include "vfork.h" /* of this processor */
#include "libc.h"
#include "wait.h"

#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

/* Called before vfork(); returns the address of the C library's vfork(). */
void *plf_before_vfork(void);

static void lend(void)
{
	if (plf_me.published != 0)
		plf_before_wait_inside();
	plf_me.lent = true;
}

void *plf_before_vfork(void)
{
	lend();
	return (void *)PLF_LIBC(vfork);
}

PLF_DEFINE_VFORK

static bool is_as_vfork(int flags)
{
	return (flags & (CLONE_VM | CLONE_VFORK)) == (CLONE_VM | CLONE_VFORK);
}

PLF_EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	void *parent_tid, *tls, *child_tid;
	va_list list;

	va_start(list, argument);
	parent_tid = va_arg(list, void *);
	tls = va_arg(list, void *);
	child_tid = va_arg(list, void *);
	va_end(list);
	if (is_as_vfork(flags))
		lend();
	return PLF_LIBC(clone)(function, stack, flags, argument, parent_tid, tls, child_tid);
}
