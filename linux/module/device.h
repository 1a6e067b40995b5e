/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_DEVICE_INTERNAL_H
#define PLAFOND_DEVICE_INTERNAL_H

/* /dev/plafond: see plafond_device.h, which user code includes. */
int plf_device_init(void);
void plf_device_exit(void);

/* The running task ends or executes another program: end its registration. Needs preemption off. */
void plf_device_forget(void);

#endif
