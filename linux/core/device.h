/* SPDX-License-Identifier: MIT */
#ifndef PLF_DEVICE_FILE_H
#define PLF_DEVICE_FILE_H

/*
 * /dev/plafond: threads register their words there, and plafond.ko reads them. The process opens
 * the file once, while threads of keeper `claims` are attached. A child of fork() inherits it.
 * Opening and closing need the registry lock.
 */
#include <plafond/lazy_ceiling.h>

/* Can the device be opened? */
bool plf_device_is_there(void);

/* Open the device, unless it is open. ENODEV: it cannot be opened. */
int plf_device_open(void);
void plf_device_close(void);

/*
 * Register the calling thread's words, with its present priority as base. Errors: see
 * plafond_device.h.
 */
int plf_device_register(const struct plf_lazy *words);
void plf_device_unregister(void);

/*
 * Lower the calling thread to the priority that its words ask for. If the process lost the file, it
 * is opened anew. Then ESRCH: the thread is not registered there. Or an error of open(2).
 */
int plf_device_lower(void);

#endif
