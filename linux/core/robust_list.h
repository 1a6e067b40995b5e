/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROBUST_LIST_H
#define PLF_ROBUST_LIST_H

/*
 * The kernel clears the gates of a thread that ends without detaching.
 *
 * Each thread registers with the kernel a list of futexes that it may hold. When the thread is
 * gone, the kernel writes FUTEX_OWNER_DIED in place of its TID, before another thread can get that
 * TID (Documentation/locking/robust-futex-ABI). The C library owns the head of the list. At attach,
 * a thread's gates join the list for good, as PI entries. So no lock or unlock touches it.
 */
#include <plafond.h>

#include <linux/futex.h>
#include <stdint.h>

/* False: there is no such list here (emulators). Then only ESRCH shows that a thread vanished. */
bool plf_robust_list_join(struct plf_thread *t);
void plf_robust_list_leave(struct plf_thread *t);

/*
 * The list, as the kernel and the C libraries (glibc, musl) keep it. Each entry is a pair {prev,
 * next}, and links point at `next` fields. Bit 0 of a forward link says that the entry behind it is
 * a PI futex.
 */
enum { PLF_PREV, PLF_NEXT };

static inline void *plf_robust_link_to(void **entry)
{
	return (void *)((uintptr_t)&entry[PLF_NEXT] | 1);
}

/* The head of the calling thread's list; NULL: not known. */
struct robust_list_head *plf_robust_list_head(void);

/*
 * Put a chain of PI entries, which are linked to each other, at the head of the list; or take it
 * out.
 */
void plf_robust_list_hang_in(struct robust_list_head *head, void **first, void **last);
void plf_robust_list_take_out(void **first, void **last);

#endif
