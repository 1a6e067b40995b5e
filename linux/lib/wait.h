/* SPDX-License-Identifier: MIT */
#ifndef PLF_WAIT_H
#define PLF_WAIT_H

#include "arena.h"

/*
 * May T go to sleep with `kept` sections open? EPERM: not attached. EBUSY: T is strict, and would
 * keep a section open.
 */
__attribute__((warn_unused_result)) int plf_wait_begin(struct plf_thread *t, uint32_t kept);

/*
 * T, which may sleep, is about to sleep in the kernel until plf_wait_end(). If T's server loses the
 * CPU meanwhile, T stops by itself when it wakes up. If its server has no budget, T stops before it
 * sleeps.
 */
void plf_wait_sleep(struct plf_thread *t);

/* The sleep ended with `error`: run the wake hook. Returns the hook's error, or else `error`. */
__attribute__((warn_unused_result)) int plf_wait_end(int error);

#endif
