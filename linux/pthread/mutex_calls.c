/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "mutex_calls.h"

#include "libraries.h"
#include "member.h"
#include "race_checker.h"

#include <dlfcn.h>

static int first_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	plf_mutex_calls_find();
	return plf_mutex_calls.init(mutex, attr);
}

static int first_destroy(pthread_mutex_t *mutex)
{
	plf_mutex_calls_find();
	return plf_mutex_calls.destroy(mutex);
}

static int first_lock(pthread_mutex_t *mutex)
{
	plf_mutex_calls_find();
	return plf_mutex_calls.lock(mutex);
}

static int first_trylock(pthread_mutex_t *mutex)
{
	plf_mutex_calls_find();
	return plf_mutex_calls.trylock(mutex);
}

static int first_unlock(pthread_mutex_t *mutex)
{
	plf_mutex_calls_find();
	return plf_mutex_calls.unlock(mutex);
}

struct plf_mutex_calls plf_mutex_calls = {
	.init = first_init,
	.destroy = first_destroy,
	.lock = first_lock,
	.trylock = first_trylock,
	.unlock = first_unlock,
};

static void find(void *(*look_up)(const char *))
{
	struct plf_mutex_calls *calls = &plf_mutex_calls;

	calls->init = (__typeof__(calls->init))look_up("pthread_mutex_init");
	calls->destroy = (__typeof__(calls->destroy))look_up("pthread_mutex_destroy");
	calls->lock = (__typeof__(calls->lock))look_up("pthread_mutex_lock");
	calls->trylock = (__typeof__(calls->trylock))look_up("pthread_mutex_trylock");
	calls->unlock = (__typeof__(calls->unlock))look_up("pthread_mutex_unlock");
}

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

void plf_mutex_calls_find(void)
{
	find(plf_is_sanitizer_behind() ? next : plf_libc_function);
	if (plf_lock_libc_outside == plf_lock_libc_first)
		plf_lock_libc_outside = plf_mutex_calls.lock;
}

int plf_lock_libc_first(pthread_mutex_t *mutex)
{
	if (plf_lock_libc_outside == plf_lock_libc_first)
		plf_mutex_calls_find();
	plf_me.lock_libc = plf_lock_libc_outside;
	return plf_lock_libc_outside(mutex);
}
