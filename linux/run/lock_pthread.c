/* SPDX-License-Identifier: MIT */
/* The C library's mutexes: PTHREAD_PRIO_PROTECT, PTHREAD_PRIO_INHERIT and plain. */
#define _GNU_SOURCE
#include "locks.h"

#include "../machine/clock.h"
#include "cpus.h"

#include <sched.h>

/*
 * Use pthread calls, because PTHREAD_PRIO_PROTECT goes by the C library's own copy of the priority.
 */
static int attach(int priority, int cpu, int option)
{
	struct sched_param param = { .sched_priority = priority };
	int error = pin_to(cpu);

	(void)option;
	return error != 0 ? error : pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static int create(union lock *lock, int ceiling, bool is_global, int option)
{
	pthread_mutexattr_t attr;
	int error = pthread_mutexattr_init(&attr);

	(void)is_global;
	if (error != 0)
		return error;
	error = pthread_mutexattr_setprotocol(&attr, option);
	if (error == 0 && option == PTHREAD_PRIO_PROTECT)
		error = pthread_mutexattr_setprioceiling(&attr, ceiling);
	if (error == 0)
		error = pthread_mutex_init(&lock->pthread, &attr);
	pthread_mutexattr_destroy(&attr);
	return error;
}

static int lock_it(union lock *lock)
{
	return pthread_mutex_lock(&lock->pthread);
}

static int unlock_it(union lock *lock)
{
	return pthread_mutex_unlock(&lock->pthread);
}

static int sleep_until(int64_t time_ns)
{
	struct timespec until = timespec_of(time_ns);

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

const struct lock_kind pthread_locks = {
	.attach = attach,
	.create = create,
	.lock = lock_it,
	.unlock = unlock_it,
	.sleep_until = sleep_until,
	.lock_call = "pthread_mutex_lock",
	.unlock_call = "pthread_mutex_unlock",
	.sleep_call = "clock_nanosleep",
};
