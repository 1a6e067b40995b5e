/* SPDX-License-Identifier: MIT */
/* The hooks and the interrupt handler run in the kernel's mode, and never interrupt each other. */
#include <kernel/hook.h>
#include <kernel/port.h>
#include <os.h>

#include "typed.h"

#define PRINT(text) plf_port_write(text, sizeof(text) - 1)

static void print_digits(unsigned number)
{
	const char digits[] = { (char)('0' + number / 10), (char)('0' + number % 10) };

	plf_port_write(digits, sizeof(digits));
}

void StartupHook(void)
{
	PRINT("start: type, and q to end\n");
}

void ErrorHook(StatusType status)
{
	PRINT("error ");
	print_digits(status);
	PRINT(" of service ");
	print_digits(OSErrorGetServiceId());
	PRINT("\n");
}

void ShutdownHook(StatusType status)
{
	PRINT("shutdown ");
	print_digits(status);
	PRINT("\n");
}

/* Takes all that came; what there is no room for is lost. */
ISR(key)
{
	char text;

	while (plf_port_read(&text, 1))
		if (typed.put - typed.taken < TYPED_MOST)
			typed.text[typed.put++ % TYPED_MOST] = text;
	SetEvent(keys, TYPED);
}
