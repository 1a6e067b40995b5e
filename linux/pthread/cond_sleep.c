/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cond_sleep.h"

#include "program_clock.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int futex(uint32_t *word, int operation, bool shared, uint32_t value,
		 const struct timespec *deadline)
{
	int saved = errno;
	int error = 0;

	if (!shared)
		operation |= FUTEX_PRIVATE_FLAG;
	if (syscall(SYS_futex, word, operation, value, deadline, NULL, FUTEX_BITSET_MATCH_ANY) < 0)
		error = errno;
	errno = saved;
	return error;
}

/* ---- The clock --------------------------------------------------------- */

enum { SECOND_NS = 1000000000 };

/* The deadline by the kernel's clock; the first moment of 1970 for all times before it. */
static struct timespec by_kernel(clockid_t clock, const struct timespec *deadline)
{
	struct timespec there, here, time = { 0 };
	long long ns;

	plf_program_clock(clock, &there);
	syscall(SYS_clock_gettime, clock, &here);
	ns = (long long)deadline->tv_nsec - there.tv_nsec + here.tv_nsec + SECOND_NS;
	time.tv_sec = deadline->tv_sec - there.tv_sec + here.tv_sec + ns / SECOND_NS - 1;
	time.tv_nsec = (long)(ns % SECOND_NS);
	return time.tv_sec < 0 ? (struct timespec) { 0 } : time;
}

/* ---- The futex --------------------------------------------------------- */

/*
 * The C library cancels a thread inside a bare system call only while its cancellation is
 * asynchronous. It is asynchronous only between the two calls here, so no other state of ours is
 * ever left half done. The caller is at a call, and cannot know (noipa) that it throws nothing. So
 * an unwinder that begins at any instruction of this function finds the caller's cleanup handler.
 *
 * After a signal handler the sleep goes on, because EINTR and ETIMEDOUT are returned only to a
 * sleeper that was not woken.
 */
__attribute__((noipa)) int plf_cond_sleep(uint32_t *word, uint32_t value, bool shared,
					  clockid_t clock, const struct timespec *deadline)
{
	int operation = FUTEX_WAIT_BITSET | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
	struct timespec converted;
	int type, unused, error;

	if (deadline != NULL && plf_is_clock_foreign) {
		converted = by_kernel(clock, deadline);
		deadline = &converted;
	}
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	do
		error = futex(word, operation, shared, value, deadline);
	while (error == EINTR);
	pthread_setcanceltype(type, &unused);
	return error == ETIMEDOUT ? ETIMEDOUT : 0;
}

void plf_cond_rouse(uint32_t *word, bool shared, int sleepers)
{
	futex(word, FUTEX_WAKE, shared, (uint32_t)sleepers, NULL);
}
