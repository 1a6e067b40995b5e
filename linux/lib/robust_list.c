/* SPDX-License-Identifier: MIT */
#include "robust_list.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The list as the kernel and the C libraries (glibc, musl) keep it: each entry
 * is a pair {prev, next}, links point at `next` fields, bit 0 of a forward link
 * says that the entry it leads to is a PI futex.
 */
enum { PREV, NEXT };

static const uintptr_t PI = 1;

static void **entry_at(void *link)
{
	return (void **)((uintptr_t)link & ~PI) - NEXT;
}

static struct robust_list_head *list_head(void)
{
	struct robust_list_head *head;
	size_t size;

	if (syscall(SYS_get_robust_list, 0, &head, &size) != 0 || size != sizeof(*head))
		return NULL;
	return head;
}

static void *link_to(struct plf_gate *gate)
{
	return (void *)((uintptr_t)&gate->link[NEXT] | PI);
}

/* The kernel finds each futex at one distance from its entry: the C library's. */
static bool distance_fits(const struct robust_list_head *head)
{
	return head->futex_offset ==
	       (long)offsetof(struct plf_gate, word) - (long)offsetof(struct plf_gate, link[NEXT]);
}

enum { ENTRIES = 2 * PLF_FRAMES + 1 };

/* The entries of a thread, in order: its life, then the gates of its frames. */
static struct plf_gate *entry(struct plf_thread *t, size_t i)
{
	if (i == 0)
		return &t->life;
	return i % 2 == 1 ? &t->frame[i / 2].gate : &t->frame[i / 2 - 1].second;
}

bool plf_robust_list_join(struct plf_thread *t)
{
	struct robust_list_head *head = list_head();
	void *first, *before;

	if (head == NULL || !distance_fits(head))
		return false;
	first = head->list.next;
	before = &head->list.next;
	for (size_t i = 0; i < ENTRIES; i++) {
		struct plf_gate *gate = entry(t, i);

		gate->link[PREV] = before;
		gate->link[NEXT] = i + 1 < ENTRIES ? link_to(entry(t, i + 1)) : first;
		before = &gate->link[NEXT];
	}
	entry_at(first)[PREV] = before;
	plf_barrier(); /* the kernel walks from the head: the chain is whole before it is hung in */
	*(void *volatile *)&head->list.next = link_to(entry(t, 0));
	return true;
}

void plf_robust_list_leave(struct plf_thread *t)
{
	struct plf_gate *first = entry(t, 0), *last = entry(t, ENTRIES - 1);

	if (first->link[PREV] == NULL)
		return;
	entry_at(last->link[NEXT])[PREV] = first->link[PREV];
	*(void *volatile *)&entry_at(first->link[PREV])[NEXT] = last->link[NEXT];
	first->link[PREV] = NULL;
}
