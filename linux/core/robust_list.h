/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROBUST_LIST_H
#define PLF_ROBUST_LIST_H

/*
 * The kernel clears the gates of a thread that ends without a word.
 *
 * Each thread registers with the kernel one list of futexes that it may hold; when the
 * thread is gone, and before its TID can be given to another, the kernel writes
 * FUTEX_OWNER_DIED in place of that TID (Documentation/locking/robust-futex-ABI).
 * The C library owns the head of that list; a thread's gates join it for good,
 * as PI entries, at attach: no lock or unlock touches it.
 */
#include <plafond.h>

#include <linux/futex.h>
#include <stdint.h>

/* False if there is no such list here (emulators): a vanished thread is then found by ESRCH alone.
 */
bool plf_robust_list_join(struct plf_thread *t);
void plf_robust_list_leave(struct plf_thread *t);

/*
 * The list as the kernel and the C libraries (glibc, musl) keep it: each entry
 * is a pair {prev, next}, links point at `next` fields, bit 0 of a forward link
 * says that the entry it leads to is a PI futex.
 */
enum { PLF_PREV, PLF_NEXT };

static inline void *plf_robust_link_to(void **entry)
{
	return (void *)((uintptr_t)&entry[PLF_NEXT] | 1);
}

/* The calling thread's head. NULL: there is none that we know. */
struct robust_list_head *plf_robust_list_head(void);

/* Put a chain of PI entries at the head of the list, linked up but for its ends; or take it out. */
void plf_robust_list_hang_in(struct robust_list_head *head, void **first, void **last);
void plf_robust_list_take_out(void **first, void **last);

#endif
