/* SPDX-License-Identifier: MIT */
/* The tasks run in user mode. Each has its own stack, and all share this data. */
#include <os_console.h>

#include "typed.h"

struct typed typed;

static void print(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	(void)WriteConsole(text, size);
}

static void print_line(const char *what, char which)
{
	GetResource(SCREEN); /* seven instructions, no system call */
	print(what);
	(void)WriteConsole(&which, 1);
	print("\n");
	ReleaseResource(SCREEN);
}

/* An extended task: it never ends, and waits for its event. */
TASK(keys)
{
	for (;;) {
		WaitEvent(TYPED);
		ClearEvent(TYPED);
		while (typed.taken != typed.put) {
			char key = typed.text[typed.taken++ % TYPED_MOST];

			if (key == 'q')
				ShutdownOS(E_OK);
			print_line("typed ", key);
		}
	}
}

/* A basic task: the alarm activates it. */
TASK(beat)
{
	static unsigned count TASK_DATA(beat); /* of this task alone */

	count++;
	print_line("beat ", (char)('0' + count));
	if (count == 2)
		ActivateTask(keys); /* for ErrorHook to show: it runs already */
	if (count == 6)
		ShutdownOS(E_OK);
	TerminateTask();
}
