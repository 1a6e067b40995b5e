/* SPDX-License-Identifier: MIT */
/* The end of each test program: prints the check that failed. */
#include "check.h"
#include "kernel/port.h"

static void put(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	plf_port_write(text, size);
}

static void put_number(uint64_t number)
{
	char digits[21];
	unsigned first = sizeof(digits) - 1;

	digits[first] = '\0';
	do {
		digits[--first] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put(&digits[first]);
}

static void put_trail(void)
{
	put("found    '");
	plf_port_write(test.trail, test.marks);
	put("'\nexpected '");
	put(test.golden);
}

static void put_numbers(void)
{
	put("found ");
	put_number(test.found);
	put(", expected ");
	put_number(test.expected);
	put("; marked so far: '");
	plf_port_write(test.trail, test.marks);
}

void ShutdownHook(StatusType status)
{
	(void)status;
	if (test.line == 0)
		return;
	put(test.file);
	put(":");
	put_number(test.line);
	put(":\n");
	if (test.golden)
		put_trail();
	else
		put_numbers();
	put("'\n");
	plf_port_end(TEST_FAILED);
}
