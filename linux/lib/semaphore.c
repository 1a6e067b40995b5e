/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "clock.h"
#include "keeper.h"
#include "wait.h"

#include <time.h>

/* In a program with ThreadSanitizer, it intercepts every call below except sem_clockwait(). */
extern void __tsan_acquire(void *address) __attribute__((weak));

/* POSIX reports by errno. Return the error instead, and leave errno as it was. */
static int outcome(int result, int saved)
{
	int error = result == 0 ? 0 : errno;

	errno = saved;
	return error;
}

int plf_sem_init(plf_sem_t *sem, unsigned value)
{
	int saved = errno;

	return outcome(sem_init(&sem->sem, 0, value), saved);
}

int plf_sem_destroy(plf_sem_t *sem)
{
	int saved = errno;

	return outcome(sem_destroy(&sem->sem), saved);
}

int plf_sem_wait(plf_sem_t *sem)
{
	int error = plf_wait_begin(plf_self, plf_held(plf_self));
	int saved = errno;

	if (error != 0)
		return error;
	plf_wait_sleep(plf_self);
	return plf_wait_end(outcome(sem_wait(&sem->sem), saved));
}

int plf_sem_timedwait(plf_sem_t *sem, uint64_t time_ns)
{
	struct timespec until = plf_timespec(time_ns);
	int error = plf_wait_begin(plf_self, plf_held(plf_self));
	int saved = errno;

	if (error != 0)
		return error;
	plf_wait_sleep(plf_self);
	error = outcome(sem_clockwait(&sem->sem, CLOCK_MONOTONIC, &until), saved);
	if (error == 0 && __tsan_acquire != NULL)
		__tsan_acquire(&sem->sem);
	return plf_wait_end(error);
}

int plf_sem_trywait(plf_sem_t *sem)
{
	int saved = errno;

	return outcome(sem_trywait(&sem->sem), saved);
}

int plf_sem_post(plf_sem_t *sem)
{
	int saved = errno;

	return outcome(sem_post(&sem->sem), saved);
}
