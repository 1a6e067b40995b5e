/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERIAL_H
#define PLF_SERIAL_H

/* The serial device of images with a console: Arm PL011 (DDI 0183), the first of QEMU's `virt`. */
#include <stddef.h>

enum {
	PLF_SERIAL = 0x09000000, /* mapped for the kernel only */
	PLF_SERIAL_SOURCE = 1,	 /* its number in plf_isr_config; active until all input is read */
};

/* Enable output and input. Input raises an interrupt. */
void plf_serial_start(void);

/* Returns when the device has all bytes. */
void plf_serial_write(const char *text, size_t size);

/* Takes at most `size` bytes of input, and returns their number. */
size_t plf_serial_read(char *text, size_t size);

#endif
