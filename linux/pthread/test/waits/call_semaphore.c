/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <semaphore.h>
#include <time.h>

static sem_t semaphore;
static struct timespec deadline;

static void make(void)
{
	check(sem_init(&semaphore, 0, 0) == 0);
	check(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
	deadline.tv_sec += 100;
}

static void post(void)
{
	check(sem_post(&semaphore) == 0);
}

static void clear(void)
{
	check(sem_destroy(&semaphore) == 0);
}

static const struct setting zero = { make, post, clear };

CALL(sem_wait, zero, POINT, 0, 0, sem_wait(&semaphore));
CALL(sem_timedwait, zero, POINT, 0, 0, sem_timedwait(&semaphore, &deadline));
CALL(sem_clockwait, zero, POINT, 0, 0, sem_clockwait(&semaphore, CLOCK_REALTIME, &deadline));
