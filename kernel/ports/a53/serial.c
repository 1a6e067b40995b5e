/* SPDX-License-Identifier: MIT */
/*
 * See serial.h. The line keeps its speed, because QEMU has none. The queues stay off, because to
 * switch them on discards earlier input. No byte is lost, because QEMU holds the next byte back
 * while a byte waits.
 */
#include "serial.h"
#include "registers.h"

enum {
	DATA = PLF_SERIAL + 0x00,
	FLAGS = PLF_SERIAL + 0x18,
	LINE = PLF_SERIAL + 0x2c,
	CONTROL = PLF_SERIAL + 0x30,
	INTERRUPTS = PLF_SERIAL + 0x38,

	NOTHING_IN = 1 << 4, /* bits of FLAGS */
	OUT_IS_FULL = 1 << 5,
	EIGHT_BITS = 3 << 5, /* bits of LINE */
	ENABLE = 1 << 0,     /* bits of CONTROL */
	ENABLE_OUT = 1 << 8,
	ENABLE_IN = 1 << 9,
	BYTES_IN = 1 << 4, /* bits of INTERRUPTS */
};

void plf_serial_start(void)
{
	plf_device_write(CONTROL, 0);
	plf_device_write(LINE, EIGHT_BITS);
	plf_device_write(INTERRUPTS, BYTES_IN);
	plf_device_write(CONTROL, ENABLE | ENABLE_OUT | ENABLE_IN);
}

void plf_serial_write(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		while (plf_device_read(FLAGS) & OUT_IS_FULL)
			__asm__ volatile("yield");
		plf_device_write(DATA, (uint8_t)text[i]);
	}
}

size_t plf_serial_read(char *text, size_t size)
{
	size_t taken = 0;

	while (taken < size && !(plf_device_read(FLAGS) & NOTHING_IN))
		text[taken++] = (char)plf_device_read(DATA);
	return taken;
}
