/* SPDX-License-Identifier: MIT */
#include "robust_list.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static void **entry_at(void *link)
{
	return (void **)((uintptr_t)link & ~(uintptr_t)1) - PLF_NEXT;
}

struct robust_list_head *plf_robust_list_head(void)
{
	struct robust_list_head *head;
	size_t size; /* always the same: set_robust_list() takes no other */

	return syscall(SYS_get_robust_list, 0, &head, &size) == 0 ? head : NULL;
}

void plf_robust_list_hang_in(struct robust_list_head *head, void **first, void **last)
{
	void *behind = head->list.next;

	first[PLF_PREV] = &head->list.next;
	last[PLF_NEXT] = behind;
	entry_at(behind)[PLF_PREV] = &last[PLF_NEXT];
	plf_barrier(); /* the kernel walks from the head, so the chain must be whole before */
	*(void *volatile *)&head->list.next = plf_robust_link_to(first);
}

void plf_robust_list_take_out(void **first, void **last)
{
	entry_at(last[PLF_NEXT])[PLF_PREV] = first[PLF_PREV];
	*(void *volatile *)&entry_at(first[PLF_PREV])[PLF_NEXT] = last[PLF_NEXT];
}

/* Is our distance from entry to futex the C library's? The kernel knows only one distance. */
static bool distance_fits(const struct robust_list_head *head)
{
	return head->futex_offset == (long)offsetof(struct plf_gate, word) -
					     (long)offsetof(struct plf_gate, link[PLF_NEXT]);
}

enum { ENTRIES = 2 * PLF_FRAMES + 1 };

/* The entries of a thread, in order: its life, then both gates of each frame. */
static struct plf_gate *entry(struct plf_thread *t, size_t i)
{
	if (i == 0)
		return &t->life;
	return i % 2 == 1 ? &t->frame[i / 2].gate : &t->frame[i / 2 - 1].second;
}

bool plf_robust_list_join(struct plf_thread *t)
{
	struct robust_list_head *head = plf_robust_list_head();
	void **last = entry(t, 0)->link;

	if (head == NULL || !distance_fits(head))
		return false;
	for (size_t i = 1; i < ENTRIES; i++) {
		void **next = entry(t, i)->link;

		next[PLF_PREV] = &last[PLF_NEXT];
		last[PLF_NEXT] = plf_robust_link_to(next);
		last = next;
	}
	plf_robust_list_hang_in(head, entry(t, 0)->link, last);
	return true;
}

void plf_robust_list_leave(struct plf_thread *t)
{
	void **first = entry(t, 0)->link;

	if (first[PLF_PREV] == NULL)
		return;
	plf_robust_list_take_out(first, entry(t, ENTRIES - 1)->link);
	first[PLF_PREV] = NULL;
}
