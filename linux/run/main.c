/* SPDX-License-Identifier: MIT */

/*
 * plafond-run: run a task set with real SCHED_FIFO threads under one lock protocol.
 *
 * During the run, no thread allocates, prints or faults. Events are recorded in memory, and written
 * as a trace afterwards, even if the run was cut. To count lock calls, a tracepoint of the kernel
 * is switched on. That makes every system call of the machine a little slower meanwhile.
 */
#include "../machine/say.h"
#include "noise.h"
#include "run.h"
#include "wake_ups.h"
#include "witness.h"

#include <stdio.h>
#include <string.h>

static const char USAGE[] =
	"usage: plafond-run PLAN TRACE\n"
	"       plafond-run --noise CPU SECONDS\n"
	"       plafond-run --wake-ups CPU SECONDS\n"
	"       plafond-run --witness CPU SECONDS\n"
	"\n"
	"Execute the task set of the file PLAN with real SCHED_FIFO threads and write what\n"
	"happened to the file TRACE, as JSON. With --noise, print as JSON how much time the\n"
	"machine itself takes from a thread on that CPU (at most 10 s); with --wake-ups, how\n"
	"much a thread that wakes up by a timer takes from the one below it; with --witness,\n"
	"how often and for how long the machine stops a thread, and how slow it gets.\n"
	"\n"
	"Needs SCHED_FIFO up to priority 99 and locked memory.\n"
	"\n"
	"Exit status: 0 ran to its end; 1 cut by the watchdog, or failed: TRACE holds what\n"
	"came before; 2 refused: nothing was run; 128 + n interrupted by signal n, which\n"
	"ends the run, but not the writing of TRACE after it.\n"
	"\n"
	"  plafond-run plan.txt trace.json\n"
	"  plafond-run --noise 1 2\n";

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(USAGE, stdout);
		return end_stdout();
	}
	if (argc == 4 && strcmp(argv[1], "--noise") == 0)
		return measure_noise(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--wake-ups") == 0)
		return measure_wake_ups(argv[2], argv[3]);
	if (argc == 4 && strcmp(argv[1], "--witness") == 0)
		return measure_stops(argv[2], argv[3]);
	if (argc == 3 && argv[1][0] != '-')
		return run_plan(argv[1], argv[2]);
	fputs(USAGE, stderr);
	return REFUSED;
}
