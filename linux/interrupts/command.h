/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_COMMAND_H
#define INTERRUPTS_COMMAND_H

/*
 * The command that a wrapper runs. It has the wrapper's files, terminal and signals, and is killed
 * when the wrapper is. An interruption (SIGHUP, SIGINT, SIGQUIT, SIGTERM) ends the command, not the
 * wrapper: one from the terminal reaches both, one from another process is passed on.
 */
#include "guard.h"

#include <stdbool.h>
#include <sys/types.h>

struct command {
	pid_t pid;
	int end;     /* can be read when it has ended */
	int signals; /* the interruptions */
};

/* From here on interruptions wait. False: they cannot, and it said why. */
__attribute__((warn_unused_result)) bool hold_interruptions(struct command *command);

/* The interruption that came before there was a command, or 0. */
int early_interruption(const struct command *command);

/* False: it cannot be run, and it said why. */
__attribute__((warn_unused_result)) bool start_command(struct command *command, char *argv[]);

/*
 * Sleep until it has ended; meanwhile call `tick` (or NULL) every `tick_ms`. Its exit code, or 128
 * and the number of the signal that ended it. If the guard dies, it is killed.
 */
int await_command(const struct command *command, const struct guard *guard, int tick_ms,
		  void (*tick)(void *argument), void *argument);

#endif
