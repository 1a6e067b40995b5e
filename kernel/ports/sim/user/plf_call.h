/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/* How tasks call services: by the simulated processor's trap, in processor.c. */
#define PLF_DOOR plf_user_call
#include "plf_call_door.h"

#endif
