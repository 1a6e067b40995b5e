/* SPDX-License-Identifier: MIT */
#ifndef PLF_ASKS_H
#define PLF_ASKS_H

/* The functions that this scheduler asks of a resource protocol beside kernel/resource.h. */
#include "core.h"

/* The deadline that the running task has now; some task that is ready is earlier than its own. */
static inline __attribute__((warn_unused_result)) uint64_t
plf_running_deadline(struct plf_core *core);

/* The task gets the core, and goes on where it was. */
static inline void plf_load_words(struct plf_core *core, struct plf_task *task);

#endif
