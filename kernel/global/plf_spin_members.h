/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_MEMBERS_H
#define PLF_GLOBAL_MEMBERS_H

/* Spinlocks: user code takes and releases them, and no task is suspended. */
#include "plf_spin.h"

#define PLF_GLOBAL_IN_USER_MODE 1
#define PLF_GLOBAL_SPINS	1
#define PLF_GLOBAL_MARK(user)	plf_spin_mark(user)
#define PLF_GLOBAL_PLACE(user)	0
#define PLF_GLOBAL_TASK_MEMBERS
#define PLF_GLOBAL_LEVELS
#define PLF_GLOBAL_QUEUE

#endif
