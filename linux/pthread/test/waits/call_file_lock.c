/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int files[2]; /* one file, opened twice */

static void open_files(void)
{
	char name[] = "/tmp/plafond-XXXXXX";

	files[0] = mkstemp(name);
	check(files[0] >= 0);
	files[1] = open(name, O_RDWR);
	check(files[1] >= 0);
	check(unlink(name) == 0);
}

static void close_files(void)
{
	check(close(files[0]) == 0 && close(files[1]) == 0);
}

/* ---- Locks of an open file --------------------------------------------- */

static void lock_first(void)
{
	open_files();
	check(flock(files[0], LOCK_EX) == 0);
}

static void unlock_first(void)
{
	check(flock(files[0], LOCK_UN) == 0);
}

static const struct setting first_locked = { lock_first, unlock_first, close_files };

CALL(flock, first_locked, MAY_BE, 0, 0, flock(files[1], LOCK_EX));

/* ---- Locks of a process ------------------------------------------------ */

static struct flock all = { .l_type = F_WRLCK };
static pid_t child;
static int ready[2];

static void lock(void)
{
	char byte = 0;

	check(lockf(files[0], F_LOCK, 0) == 0);
	check(write(ready[1], &byte, 1) == 1);
}

static void lock_in_child(void)
{
	char byte;

	open_files();
	check(pipe(ready) == 0);
	child = start_child(lock);
	check(read(ready[0], &byte, 1) == 1);
}

static void kill_child(void)
{
	check(kill(child, SIGKILL) == 0);
}

static void close_all(void)
{
	check(waitpid(child, NULL, 0) == child);
	check(close(ready[0]) == 0 && close(ready[1]) == 0);
	close_files();
}

static const struct setting child_locks = { lock_in_child, kill_child, close_all };

CALL(lockf, child_locks, MAY_BE, 0, 0, lockf(files[0], F_LOCK, 0));
CALL(lockf64, child_locks, MAY_BE, 0, 0, lockf64(files[0], F_LOCK, 0));
CALL(fcntl, child_locks, POINT, 0, 0, fcntl(files[0], F_SETLKW, &all));
CALL(fcntl64, child_locks, POINT, 0, 0, fcntl64(files[0], F_SETLKW, &all));
