/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <plafond.h>

#include <string.h>

/* Errors whose meaning here differs from the system's words. */
static const struct {
	int error;
	const char *meaning;
} meanings[] = {
	{ EAGAIN, "too many sections are open, or the semaphore is 0" },
	{ EALREADY, "the thread is attached already" },
	{ EDEADLK,
	  "the caller holds the mutex, has a section open, or the wait would close a cycle" },
	{ EEXIST, "something else registered the thread with /dev/plafond" },
	{ ENODEV, "/dev/plafond cannot be opened" },
	{ ENOLCK, "not all memory is locked: call mlockall() first" },
	{ ENOSPC, "the servers of the CPU would have more than all of it" },
	{ ENOTSUP, "a SCHED_DEADLINE thread has no priority; or a strict thread, or one of a "
		   "server, has no mutexes across CPUs" },
	{ EOVERFLOW, "the semaphore has its largest value" },
	{ EPROTO, "plafond.ko is of another version than the library" },
	{ ETIMEDOUT, "the time is over" },
	{ ERANGE, "the priority is not in the server's band, or no band is left there" },
	{ EXDEV, "the mutex belongs to another CPU or server, or the thread was moved to one" },
};

const char *plf_strerror(int error)
{
	const char *words = strerrordesc_np(error);

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (meanings[i].error == error)
			return meanings[i].meaning;
	}
	return words != NULL ? words : "unknown error";
}
