/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "robust.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As robust_list.c of the library tells: pairs {prev, next}, bit 0 says PI. */
enum { PREV, NEXT };

static const uintptr_t PI = 1;

static __thread struct robust_list_head *head;

static struct robust_list_head *own_head(void)
{
	size_t size;

	if (head == NULL)
		syscall(SYS_get_robust_list, 0, &head, &size);
	return head;
}

static void **entry_at(void *link)
{
	return (void **)((uintptr_t)link & ~PI) - NEXT;
}

static void set(void *where, void *link)
{
	*(void *volatile *)where = link;
}

static void *link_to(struct plf_protect *m)
{
	return (void *)((uintptr_t)&m->link[NEXT] | PI);
}

static bool is_robust(const struct plf_protect *m)
{
	return (m->kind & PLF_KIND_ROBUST) != 0;
}

void plf_robust_begin(struct plf_protect *m)
{
	if (is_robust(m))
		set(&own_head()->list_op_pending, link_to(m));
}

void plf_robust_end(void)
{
	if (head != NULL)
		set(&head->list_op_pending, NULL);
}

static void hang_in(struct plf_protect *m)
{
	void *first = own_head()->list.next;

	m->link[NEXT] = first;
	m->link[PREV] = &head->list.next;
	entry_at(first)[PREV] = &m->link[NEXT];
	plf_barrier(); /* the kernel walks from the head */
	set(&head->list.next, link_to(m));
}

int plf_robust_enter(struct plf_protect *m)
{
	if (!is_robust(m))
		return 0;
	hang_in(m);
	plf_robust_end();
	if ((__atomic_fetch_and(&m->lock, ~(uint32_t)FUTEX_OWNER_DIED, __ATOMIC_SEQ_CST) &
	     FUTEX_OWNER_DIED) != 0 &&
	    m->state == PLF_CONSISTENT)
		m->state = PLF_INCONSISTENT;
	if (m->state == PLF_INCONSISTENT)
		return EOWNERDEAD;
	return m->state == PLF_NOT_RECOVERABLE ? ENOTRECOVERABLE : 0;
}

void plf_robust_leave(struct plf_protect *m)
{
	if (!is_robust(m))
		return;
	if (m->state == PLF_INCONSISTENT)
		m->state = PLF_NOT_RECOVERABLE;
	set(&own_head()->list_op_pending, link_to(m));
	entry_at(m->link[NEXT])[PREV] = m->link[PREV];
	set(&entry_at(m->link[PREV])[NEXT], m->link[NEXT]);
}
