/* SPDX-License-Identifier: MIT */
#ifndef PLF_COMMIT_H
#define PLF_COMMIT_H

/*
 * A lazy section is *committed* when a frame or a claim no longer will do: a call sets the
 * ceiling in the kernel, and the frame goes. The mutex is not touched by that.
 *
 * When a section is committed: before its thread sleeps (no thread may stand behind a
 * sleeper, which may be waiting for it), when its priority is asked for, before its thread's
 * scheduling is changed, and when its thread finds itself on another CPU.
 */
#include "stats.h"

/* Commit all open sections of the calling thread. */
void plf_commit(enum plf_cause cause);

/* Before fork(): the module will not know the child. */
void plf_commit_before_fork(void);

/* The caller was found on another CPU. Without frames it may simply settle anew. */
void plf_commit_moved(void);

#endif
