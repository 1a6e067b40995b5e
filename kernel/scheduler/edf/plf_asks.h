/* SPDX-License-Identifier: MIT */
#ifndef PLF_ASKS_H
#define PLF_ASKS_H

/* EDF: functions that a resource protocol must define besides kernel/resource.h. */
#include "core.h"

/*
 * The current deadline of the running task. Called only if a ready task is earlier than the
 * deadline in its block, so a lazy protocol may shorten it here.
 */
static inline __attribute__((warn_unused_result)) uint64_t
plf_running_deadline(struct plf_core *core);

/* The task gets the core and resumes: publish its words. */
static inline void plf_load_words(struct plf_core *core, struct plf_task *task);

#endif
