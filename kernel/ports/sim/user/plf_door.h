/* SPDX-License-Identifier: MIT */
#ifndef PLF_DOOR_H
#define PLF_DOOR_H

#include "os_types.h"

/* The simulated processor's trap: what a task calls to enter the kernel. */
struct plf_result plf_user_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

#endif
