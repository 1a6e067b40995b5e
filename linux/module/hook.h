/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_HOOK_H
#define PLAFOND_HOOK_H

/* Events from the kernel for plafond.ko: a task may lose the CPU, executes a program, ends. */

/* ENODEV: this kernel offers no hook at the entry of its scheduler. */
int plf_hook_init(void);
void plf_hook_exit(void);

/*
 * immpc_mutex.c: settle the running task's pending sections, which must exist. They count from now
 * on.
 */
void plf_settle_pending(void);

#endif
