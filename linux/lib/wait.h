/* SPDX-License-Identifier: MIT */
#ifndef PLF_WAIT_H
#define PLF_WAIT_H

#include "arena.h"

/*
 * May T go to sleep with `kept` sections open? EPERM: not attached. EBUSY: a
 * strict thread would keep a section open.
 */
__attribute__((warn_unused_result)) int plf_wait_begin(struct plf_thread *t, uint32_t kept);

/*
 * T, which may, is about to sleep in the kernel until plf_wait_end(): should its server lose the
 * CPU meanwhile, it stops by itself when it wakes up. Without a budget it stops before it sleeps.
 */
void plf_wait_sleep(struct plf_thread *t);

/* The sleep ended with `error`: the wake hook; its own error comes first. */
__attribute__((warn_unused_result)) int plf_wait_end(int error);

#endif
