/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_COMMAND_H
#define INTERRUPTS_COMMAND_H

/*
 * The command that a wrapper runs. It has the wrapper's files, terminal and signals, and is killed
 * when the wrapper is killed. An interruption (SIGHUP, SIGINT, SIGQUIT, SIGTERM) ends the command,
 * not the wrapper. An interruption from the terminal reaches both. If another process sends it, the
 * wrapper passes it on.
 */
#include "guard.h"

#include <stdbool.h>
#include <sys/types.h>

struct command {
	pid_t pid;
	int end;     /* readable when the command has ended */
	int signals; /* signalfd of the interruptions */
};

/* From here on interruptions wait. False: that is impossible; a message says why. */
__attribute__((warn_unused_result)) bool hold_interruptions(struct command *command);

/* The interruption that came before the command started, or 0. */
int early_interruption(const struct command *command);

/* Start the command. False: it cannot be run; a message says why. */
__attribute__((warn_unused_result)) bool start_command(struct command *command, char *argv[]);

/*
 * Sleep until the command has ended. Meanwhile call `tick` (or NULL) every `tick_ms`. Returns its
 * exit code, or 128 plus the number of the signal that ended it. If the guard dies, kill the
 * command.
 */
int await_command(const struct command *command, const struct guard *guard, int tick_ms,
		  void (*tick)(void *argument), void *argument);

#endif
