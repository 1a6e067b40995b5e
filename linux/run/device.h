/* SPDX-License-Identifier: MIT */
#ifndef RUN_DEVICE_H
#define RUN_DEVICE_H

#include "locks.h"

/* False: the protocol needs a kernel module that is not there, and it said so. */
__attribute__((warn_unused_result)) bool device_is_there(const struct protocol *protocol);

#endif
