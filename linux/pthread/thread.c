/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The start of a thread, once there is a protect mutex. It is a wake-up like others, with the
 * hook. And a new thread inherits its creator's base priority, not the ceiling of a section
 * that the creator is in.
 */
#include "learn.h"
#include "libc.h"
#include "member.h"
#include "process.h"
#include "stats.h"
#include "wait.h"

#include <errno.h>
#include <stdlib.h>

struct start {
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
	if (plf_learning) {
		plf_learn_thread_start((const void *)(uintptr_t)s.routine);
		plf_me.lock_libc = plf_lock_libc_outside;
	}
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

/* Perhaps, of a claim: the kernel may do that at any time. */
static bool is_raised(void)
{
	return plf_me.raised_to > 0 || plf_me.claims > 0;
}

PLF_EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
			      void *(*routine)(void *), void *restrict argument)
{
	struct start *start;
	int error;

	plf_process_begin();
	if (!plf_learning && plf_load64(&plf_stranger_top) == 0)
		return PLF_LIBC(pthread_create)(thread, attr, routine, argument);
	start = malloc(sizeof(*start));
	if (start == NULL)
		return EAGAIN;
	*start = (struct start) { .routine = routine,
				  .argument = argument,
				  .inherits = is_raised() && inherits(attr),
				  .policy = plf_me.policy,
				  .param.sched_priority = plf_me.priority };
	error = PLF_LIBC(pthread_create)(thread, attr, begin, start);
	if (error != 0)
		free(start);
	return error;
}
