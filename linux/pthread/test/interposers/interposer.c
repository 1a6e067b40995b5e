/* SPDX-License-Identifier: MIT */
/*
 * Another library that interposes the C library's functions, preloaded before or behind the
 * drop-in. It makes every mutex a priority-protect mutex, at the first lock if the mutex has a
 * static initialiser. The drop-in's own mutex calls must never come here. Its other calls must not
 * come here if this library stands in front.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CEILING = 40 };

#define NEXT(name) ((__typeof__(&(name)))next(#name))

static void *next(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);

	if (address == NULL)
		abort();
	return address;
}

static bool is_of_drop_in(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) != 0 && strstr(info.dli_fname, "plafond-pthread") != NULL;
}

static void refuse_drop_in(const void *caller, const char *name)
{
	if (!is_of_drop_in(caller))
		return;
	fprintf(stderr, "the drop-in's own call of %s() came to an interposer\n", name);
	abort();
}

static void refuse_drop_in_behind(const void *caller, const char *name)
{
	if (is_of_drop_in(next(name)))
		refuse_drop_in(caller, name);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	pthread_mutexattr_t protect;
	int type = PTHREAD_MUTEX_DEFAULT;

	refuse_drop_in(__builtin_return_address(0), __func__);
	if (attr != NULL)
		pthread_mutexattr_gettype(attr, &type);
	pthread_mutexattr_init(&protect);
	pthread_mutexattr_settype(&protect, type);
	pthread_mutexattr_setprotocol(&protect, PTHREAD_PRIO_PROTECT);
	pthread_mutexattr_setprioceiling(&protect, CEILING);
	return NEXT(pthread_mutex_init)(mutex, &protect);
}

static void protect_static_one(pthread_mutex_t *mutex)
{
	static const pthread_mutex_t initial = PTHREAD_MUTEX_INITIALIZER;

	if (memcmp(mutex, &initial, sizeof(initial)) == 0)
		pthread_mutex_init(mutex, NULL);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	refuse_drop_in(__builtin_return_address(0), __func__);
	protect_static_one(mutex);
	return NEXT(pthread_mutex_lock)(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	refuse_drop_in(__builtin_return_address(0), __func__);
	return NEXT(pthread_mutex_unlock)(mutex);
}

/* The drop-in in front calls this for the program. Behind this function is only the C library. */
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)
{
	return NEXT(pthread_mutex_clocklock)(mutex, clock, time);
}

int sched_setscheduler(pid_t tid, int policy, const struct sched_param *param)
{
	refuse_drop_in_behind(__builtin_return_address(0), __func__);
	return NEXT(sched_setscheduler)(tid, policy, param);
}

int sched_getparam(pid_t tid, struct sched_param *param)
{
	refuse_drop_in_behind(__builtin_return_address(0), __func__);
	return NEXT(sched_getparam)(tid, param);
}
