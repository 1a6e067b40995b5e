/* SPDX-License-Identifier: MIT */
#ifndef RUN_DEVICE_H
#define RUN_DEVICE_H

#include "locks.h"

/* Is the kernel module there that the protocol needs? False: a message says that it is not. */
__attribute__((warn_unused_result)) bool device_is_there(const struct protocol *protocol);

#endif
