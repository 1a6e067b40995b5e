/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The start of a thread, once there is a protect mutex. It is a wake-up, so it has the hook. And a
 * new thread inherits its creator's base priority, not the ceiling of a section that the creator is
 * in.
 */
#include "learn.h"
#include "libc.h"
#include "member.h"
#include "path.h"
#include "process.h"
#include "stats.h"
#include "wait.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

struct start {
	uint64_t path; /* of its creation */
	void *(*routine)(void *);
	void *argument;
	bool inherits;
	int policy;
	struct sched_param param;
};

static void *begin(void *start)
{
	struct start s = *(struct start *)start;

	free(start);
	if (s.inherits)
		PLF_LIBC(pthread_setschedparam)(pthread_self(), s.policy, &s.param);
	plf_stats_join();
	plf_path_of_thread(s.path);
	if (plf_learning)
		plf_learn_thread_start((const void *)(uintptr_t)s.routine);
	plf_uncover();
	return s.routine(s.argument);
}

static bool inherits(const pthread_attr_t *attr)
{
	int how = PTHREAD_INHERIT_SCHED;

	if (attr != NULL)
		pthread_attr_getinheritsched(attr, &how);
	return how == PTHREAD_INHERIT_SCHED;
}

/*
 * Could a new thread inherit a ceiling? With claims perhaps, because the kernel may raise the
 * caller at any time. With SCHED_RESET_ON_FORK a thread passes nothing on.
 */
static bool passes_a_ceiling_on(void)
{
	return (plf_me.raised_to > 0 || plf_me.claims > 0) &&
	       (plf_me.policy & SCHED_RESET_ON_FORK) == 0;
}

/*
 * Room for the thread-local words of the library, rounded up to a page, because stack sizes may be
 * multiples of a page.
 */
enum { WORDS_BYTES = 4096 };

/*
 * The C library keeps these words on the stack. If the program sets the size of the stack, the
 * thread has as much of it as without the library. A stack in the program's own memory cannot grow.
 */
static const pthread_attr_t *with_room(const pthread_attr_t *attr, pthread_attr_t *larger)
{
	void *lowest;
	size_t size;

	if (attr == NULL || pthread_attr_getstack(attr, &lowest, &size) != 0 ||
	    (uintptr_t)lowest + size != 0)
		return attr;
	*larger = *attr;
	return pthread_attr_setstacksize(larger, size + WORDS_BYTES) == 0 ? larger : attr;
}

PLF_EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
			      void *(*routine)(void *), void *restrict argument)
{
	struct start *start;
	pthread_attr_t larger;
	int error;

	plf_process_begin();
	attr = with_room(attr, &larger);
	if (!plf_paths_matter && plf_load64(&plf_stranger_top) == 0)
		return PLF_LIBC(pthread_create)(thread, attr, routine, argument);
	start = malloc(sizeof(*start));
	if (start == NULL)
		return EAGAIN;
	*start = (struct start) { .path = plf_path_with(argument),
				  .routine = routine,
				  .argument = argument,
				  .inherits = passes_a_ceiling_on() && inherits(attr),
				  .policy = plf_me.policy,
				  .param.sched_priority = plf_me.priority };
	error = PLF_LIBC(pthread_create)(thread, attr, begin, start);
	if (error != 0)
		free(start);
	return error;
}
