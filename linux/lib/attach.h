/* SPDX-License-Identifier: MIT */
#ifndef PLF_ATTACH_H
#define PLF_ATTACH_H

/* The steps that attach a thread, to a CPU or to a server. */
#include "arena.h"

/* Set the process up, once. ENOMEM, EAGAIN. */
__attribute__((warn_unused_result)) int plf_set_up_process(void);

/* Is the calling thread SCHED_DEADLINE, so that it has no priority? */
bool plf_is_deadline(void);

/*
 * The calling thread takes SLOT, which was claimed for it: SCHED_FIFO at `priority`, on `cpu`. If
 * the kernel refuses that, the slot is free again, and the thread is as before. If the wake hook
 * fails, the thread is detached. Errors as plf_attach().
 */
__attribute__((warn_unused_result)) int plf_move_in(struct plf_slot *slot, int priority, int cpu,
						    bool must_pin);

#endif
