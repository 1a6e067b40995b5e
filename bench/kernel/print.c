/* SPDX-License-Identifier: MIT */
/*
 * At the end, in the kernel's mode, print a line for each procedure: its name and all its samples.
 */
#include "samples.h"

/* kernel/port.h */
void plf_port_write(const char *text, size_t size);

static void print_text(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	plf_port_write(text, size);
}

static void print_number(uint64_t number)
{
	enum { DIGITS = 20 };
	char digits[DIGITS];
	size_t first = DIGITS;

	do {
		digits[--first] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	plf_port_write(&digits[first], DIGITS - first);
}

void ShutdownHook(StatusType status);
void ShutdownHook(StatusType status)
{
	if (status != E_OK)
		return;
	for (unsigned i = 0; i < measured_count; i++) {
		print_text(measured[i].name);
		for (unsigned round = 0; round < ROUNDS; round++) {
			print_text(" ");
			print_number(samples[i][round]);
		}
		print_text("\n");
	}
}
