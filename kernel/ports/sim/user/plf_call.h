/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/* Service calls of tasks: the trap of the simulated processor, in processor.c. */
#define PLF_DOOR plf_user_call
#include "plf_call_door.h"

#endif
