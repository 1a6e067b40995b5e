/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "pipes.h"

#include "stage.h"

#include <fcntl.h>
#include <unistd.h>

int empty[2], full[2];
char buffer[FULL];

static void make_empty(void)
{
	check(pipe2(empty, O_CLOEXEC) == 0);
}

void fill_empty_pipe(void)
{
	check(write(empty[1], "\n", 1) == 1);
}

void clear_empty_pipe(void)
{
	check(close(empty[0]) == 0 && close(empty[1]) == 0);
}

const struct setting empty_pipe = { make_empty, fill_empty_pipe, clear_empty_pipe };

static void make_full(void)
{
	check(pipe(full) == 0);
	check(fcntl(full[1], F_SETPIPE_SZ, FULL) == FULL);
	check(write(full[1], buffer, FULL) == FULL);
}

void drain_full_pipe(void)
{
	check(read(full[0], buffer, FULL) == FULL);
}

static void clear_full(void)
{
	check(close(full[0]) == 0 && close(full[1]) == 0);
}

const struct setting full_pipe = { make_full, drain_full_pipe, clear_full };
