/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static const struct timespec long_time = { .tv_sec = 100 };
static sigset_t set;

/* The holder starts the sleeper, which inherits the holder's mask. */
static void fill_set(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
}

static void send(void)
{
	check(pthread_kill(sleeper, SIGUSR2) == 0);
}

static void nothing(void)
{
}

static const struct setting signal_blocked = { fill_set, send, nothing };

static int received;

CALL(sigwait, signal_blocked, POINT, 0, 0, sigwait(&set, &received));
CALL(sigwaitinfo, signal_blocked, POINT, SIGUSR2, 0, sigwaitinfo(&set, NULL));
CALL(sigtimedwait, signal_blocked, POINT, SIGUSR2, 0, sigtimedwait(&set, NULL, &long_time));
