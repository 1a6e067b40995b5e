/* SPDX-License-Identifier: MIT */
/* The tasks. Nothing in this file is Plafond's own. */
#include "tpl_os.h"

DeclareTask(control);
DeclareResource(level);
DeclareEvent(high);
DeclareEvent(opened);

#define HIGH_MM	 50
#define EMPTY_MM 10

static int level_mm;

TASK(measure)
{
	int is_high;

	GetResource(level);
	level_mm += 10;
	is_high = level_mm >= HIGH_MM;
	ReleaseResource(level);
	if (is_high)
		SetEvent(control, high);
	TerminateTask();
}

TASK(control)
{
	EventMaskType events;

	for (;;) {
		WaitEvent(high | opened);
		GetEvent(control, &events);
		ClearEvent(events);
		if (events & opened)
			ShutdownOS(E_OK);
		GetResource(level);
		level_mm = EMPTY_MM;
		ReleaseResource(level);
	}
}
