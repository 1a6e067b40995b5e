/* SPDX-License-Identifier: MIT */
#ifndef PLF_LOCKED_MEMORY_H
#define PLF_LOCKED_MEMORY_H

#include <stdbool.h>

/* Is all writable and executable memory of the process locked, as after mlockall()? */
bool plf_memory_is_locked(void);

#endif
