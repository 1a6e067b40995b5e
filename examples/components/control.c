/* SPDX-License-Identifier: MIT */
/* The control law reads channels 0, 3, 1000000 and 1. Channel 1000000 does not exist. */
#include <os.h>
#include <os_console.h>

static void print(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	(void)WriteConsole(text, size);
}

static void print_number(uint64_t number)
{
	char digit = (char)('0' + number % 10);

	if (number > 9)
		print_number(number / 10);
	(void)WriteConsole(&digit, 1);
}

static void read(uint64_t channel)
{
	uint64_t value = 0;
	StatusType status = Call_READ(channel, 10, 0, 0, &value);

	print("channel ");
	print_number(channel);
	print(status == E_OK ? " has " : " failed with status ");
	print_number(status == E_OK ? value : status);
	print("\n");
}

TASK(steer)
{
	read(0);
	read(3);
	read(1000000);
	read(1);
	ShutdownOS(E_OK);
}
