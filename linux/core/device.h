/* SPDX-License-Identifier: MIT */
#ifndef PLF_DEVICE_FILE_H
#define PLF_DEVICE_FILE_H

/*
 * /dev/plafond, where threads make their words known to plafond.ko. One open file
 * serves the process while threads of keeper `claims` are attached; a child of fork()
 * inherits it. It is opened and closed under the registry lock.
 */
#include <plafond/lazy_ceiling.h>

/* Could it be opened? */
bool plf_device_is_there(void);

/* Once more is once: ENODEV. */
int plf_device_open(void);
void plf_device_close(void);

/* The calling thread's words, with its present priority as base. Errors: see plafond_device.h. */
int plf_device_register(const struct plf_lazy *words);
void plf_device_unregister(void);

/*
 * Make the calling thread's priority the one its words ask for, no more and no less. ESRCH, or an
 * error of open(2): there is no way to the kernel any more.
 */
int plf_device_lower(void);

#endif
