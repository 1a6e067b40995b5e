/* SPDX-License-Identifier: MIT */
#ifndef PLF_DEVICE_FILE_H
#define PLF_DEVICE_FILE_H

/*
 * /dev/plafond, where threads make their words known to plafond.ko. One open file
 * serves the process while threads of backend `module` are attached; a child of fork()
 * inherits it. It is opened and closed under the registry lock.
 */
#include <stdbool.h>

/* Could it be opened? */
bool plf_device_is_there(void);

/* Once more is once: ENODEV. */
int plf_device_open(void);
void plf_device_close(void);

/* The calling thread, with its present priority as base. Errors: see plafond_device.h. */
int plf_device_register(void);
void plf_device_unregister(void);

/* Take back of the calling thread's priority what its words no longer ask for. */
void plf_device_lower(void);

#endif
