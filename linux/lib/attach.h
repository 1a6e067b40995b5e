/* SPDX-License-Identifier: MIT */
#ifndef PLF_ATTACH_H
#define PLF_ATTACH_H

/* The steps of a thread that comes, to a CPU or to a server. */
#include "arena.h"

/* What the process needs once. ENOMEM, EAGAIN. */
__attribute__((warn_unused_result)) int plf_set_up_process(void);

/* Has the calling thread no priority at all? */
bool plf_is_deadline(void);

/*
 * The calling thread takes SLOT, which was claimed for it: SCHED_FIFO at `priority`, on `cpu`. If
 * it may not, the slot is free again, and the thread as it was. Errors as plf_attach().
 */
__attribute__((warn_unused_result)) int plf_move_in(struct plf_slot *slot, int priority, int cpu,
						    bool must_pin);

#endif
