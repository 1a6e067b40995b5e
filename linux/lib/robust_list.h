/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROBUST_LIST_H
#define PLF_ROBUST_LIST_H

/*
 * The kernel clears the gates of a thread that ends without a word.
 *
 * Each thread tells the kernel one list of futexes that it may hold; when the
 * thread is gone, and before its TID can be given to another, the kernel writes
 * FUTEX_OWNER_DIED in place of that TID (Documentation/locking/robust-futex-ABI).
 * The C library owns the head of that list; a thread's gates join it for good,
 * as PI entries, at attach: no lock or unlock touches it.
 */
#include <plafond.h>

/* False if there is no such list here (emulators): a vanished thread is then found by ESRCH alone.
 */
bool plf_robust_list_join(struct plf_thread *t);
void plf_robust_list_leave(struct plf_thread *t);

#endif
