/* SPDX-License-Identifier: MIT */
#ifndef PLF_COMMIT_H
#define PLF_COMMIT_H

/*
 * To *commit* a lazy section is to set its ceiling in the kernel by a system call, and then to
 * remove its frame or claim. The mutex is not touched. A section is committed:
 *
 *  - before its thread sleeps, because a sleeper may be waiting for a thread that it would cover
 *  - when its priority is asked for
 *  - before its thread's scheduling is changed
 *  - when its thread finds itself on another CPU
 *
 * A claim is committed only in the third case, because the kernel acts on it in the others.
 */
#include "stats.h"

/* Commit the open lazy sections of the calling thread, if CAUSE requires it. */
void plf_commit(enum plf_cause cause);

/* Before fork(): commit claims, because the module will not know the child. */
void plf_commit_before_fork(void);

/* The caller was found on another CPU: commit its frames. It settles anew later. */
void plf_commit_moved(void);

#endif
