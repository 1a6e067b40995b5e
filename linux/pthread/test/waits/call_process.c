/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "pipes.h"
#include "stage.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

static pid_t child;

static void nothing(void)
{
}

/* The child is as urgent as the world. */
static void make_child(void)
{
	child = start_child(nothing);
}

static void kill_child(void)
{
	check(kill(child, SIGKILL) == 0);
}

/* If a waiter was cancelled, the child has not been reaped. */
static void reap_child(void)
{
	while (waitpid(child, NULL, 0) > 0)
		;
}

static const struct setting a_child = { make_child, kill_child, reap_child };

CALL(wait, a_child, POINT, 1, 0, wait(NULL) == child);
CALL(wait3, a_child, MAY_BE, 1, 0, wait3(NULL, 0, NULL) == child);
CALL(wait4, a_child, MAY_BE, 1, 0, wait4(child, NULL, 0, NULL) == child);
CALL(waitpid, a_child, POINT, 1, 0, waitpid(child, NULL, 0) == child);
CALL(waitid, a_child, POINT, 0, 0, waitid(P_PID, (id_t)child, NULL, WEXITED));

static FILE *stream;
static char command[64];

/* A shell reads a line from that pipe, and ends. */
static void make_command(void)
{
	empty_pipe.make();
	check(fcntl(empty[0], F_SETFD, 0) == 0); /* only this descriptor: the shell ends with us */
	snprintf(command, sizeof(command), "read line <&%d; exit 3", empty[0]);
}

static void start_shell(void)
{
	make_command();
	stream = popen(command, "r");
	check(stream != NULL);
}

/* Await the shell's end, because its disk may be slow. */
static void end_shell(void)
{
	fill_empty_pipe();
	waitid(P_ALL, 0, NULL, WEXITED | WNOWAIT);
}

static const struct setting command_waits = { make_command, end_shell, clear_empty_pipe };
static const struct setting shell_waits = { start_shell, end_shell, clear_empty_pipe };

CALL(system, command_waits, MAY_BE, 3, 0, WEXITSTATUS(system(command)));
CALL(pclose, shell_waits, MAY_BE, 3, 0, WEXITSTATUS(pclose(stream)));
