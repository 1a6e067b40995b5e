/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A signal cuts these calls short, so that the test knows their end. */
#include "call.h"
#include "stage.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static const struct timespec long_time = { .tv_sec = 100 };

static void do_nothing(int number)
{
	(void)number;
}

static void handle(void)
{
	check(signal(SIGUSR1, do_nothing) != SIG_ERR);
}

static void interrupt(void)
{
	check(pthread_kill(sleeper, SIGUSR1) == 0);
}

static void restore(void)
{
	check(signal(SIGUSR1, SIG_DFL) != SIG_ERR);
}

static const struct setting interrupted = { handle, interrupt, restore };

CALL(sleep, interrupted, POINT, 1, EINTR, sleep(100) > 0);
CALL(usleep, interrupted, MAY_BE, -1, EINTR, usleep(100000000));
CALL(nanosleep, interrupted, POINT, -1, EINTR, nanosleep(&long_time, NULL));
CALL(clock_nanosleep, interrupted, POINT, EINTR, 0,
     clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL));
CALL(thrd_sleep, interrupted, MAY_BE, -1, 0, thrd_sleep(&long_time, NULL));
CALL(pause, interrupted, POINT, -1, EINTR, pause());

static sigset_t none;

CALL(sigsuspend, interrupted, POINT, -1, EINTR, sigsuspend(&none));
