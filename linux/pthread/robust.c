/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "robust.h"

#include "robust_list.h"

#include <errno.h>

static __thread struct robust_list_head *head;

static struct robust_list_head *own_head(void)
{
	if (head == NULL)
		head = plf_robust_list_head();
	return head;
}

/* Set the entry that the kernel looks at besides the list. */
static void set_pending(void *link)
{
	*(void *volatile *)&own_head()->list_op_pending = link;
}

static bool is_robust(const struct plf_protect *m)
{
	return (m->kind & PLF_KIND_ROBUST) != 0;
}

void plf_robust_begin(struct plf_protect *m)
{
	if (is_robust(m))
		set_pending(plf_robust_link_to(m->link));
}

void plf_robust_end(void)
{
	if (head != NULL)
		set_pending(NULL);
}

int plf_robust_enter(struct plf_protect *m)
{
	if (!is_robust(m))
		return 0;
	plf_robust_list_hang_in(own_head(), m->link, m->link);
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
	set_pending(plf_robust_link_to(m->link));
	plf_robust_list_take_out(m->link, m->link);
}
