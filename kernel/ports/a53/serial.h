/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERIAL_H
#define PLF_SERIAL_H

/* The console of images that have one: Arm PL011 (DDI 0183), the first of QEMU's `virt`. */
#include <stddef.h>

enum {
	PLF_SERIAL = 0x09000000, /* for the kernel alone */
	PLF_SERIAL_SOURCE = 1,	 /* as plf_isr_config numbers it; a level, until all is read */
};

/* Bytes go out and come in, and those that come in ask for an interrupt. */
void plf_serial_start(void);

/* Returns when all of it has gone into the device. */
void plf_serial_write(const char *text, size_t size);

/* Takes what has come in, at most `size` bytes; returns how many. */
size_t plf_serial_read(char *text, size_t size);

#endif
