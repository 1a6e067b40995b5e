/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A program uses mutexes and condition variables by LD_PRELOAD's calls, and by doors that bypass
 * these: see doors.h of the drop-in.
 */
#include "crossing.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <unistd.h>

#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
#else
#define OLDEST "GLIBC_2.17"
#endif

static pthread_mutex_t mutex;

static struct plug_in of_handle(void *handle)
{
	struct plug_in door;

	*(void **)&door.lock = found(dlsym(handle, "pthread_mutex_lock"));
	*(void **)&door.trylock = found(dlsym(handle, "pthread_mutex_trylock"));
	*(void **)&door.unlock = found(dlsym(handle, "pthread_mutex_unlock"));
	*(void **)&door.wait = found(dlsym(handle, "pthread_cond_wait"));
	*(void **)&door.signal = found(dlsym(handle, "pthread_cond_signal"));
	return door;
}

static void a_handle_of_the_c_library(void **state)
{
	void *handle = found(dlopen(LIBC_SO, RTLD_LAZY));

	UNUSED(state);
	cross(of_handle(handle));
	assert_ok(dlclose(handle));
}

/* Only programs that were linked long ago ask for these. */
static void the_second_names(void **state)
{
	void *handle = found(dlopen(LIBC_SO, RTLD_LAZY));
	struct plug_in door = of_handle(handle);

	UNUSED(state);
	*(void **)&door.lock = found(dlvsym(handle, "__pthread_mutex_lock", OLDEST));
	*(void **)&door.trylock = found(dlvsym(handle, "__pthread_mutex_trylock", OLDEST));
	*(void **)&door.unlock = found(dlvsym(handle, "__pthread_mutex_unlock", OLDEST));
	cross(door);
	assert_ok(dlclose(handle));
}

#ifdef __x86_64__
/* To these a condition variable is a pointer, so they must not lead to the present calls. */
static void old_condition_variables(void **state)
{
	void *handle = found(dlopen(LIBC_SO, RTLD_LAZY));
	int (*old_wait)(void **, pthread_mutex_t *, const struct timespec *);
	int (*old_signal)(void **);
	const struct timespec past = in_ms(CLOCK_REALTIME, -1);
	struct {
		void *pointer, *guard;
	} old = { NULL, &old };

	UNUSED(state);
	*(void **)&old_wait = found(dlvsym(handle, "pthread_cond_timedwait", OLDEST));
	*(void **)&old_signal = found(dlvsym(handle, "pthread_cond_signal", OLDEST));
	make_mutex(&mutex, CEILING, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(old_wait(&old.pointer, &mutex, &past), ETIMEDOUT);
	assert_int_equal(effective_priority(), CEILING);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(old_signal(&old.pointer));
	assert_non_null(old.pointer);
	assert_ptr_equal(old.guard, &old);
	assert_ok(pthread_mutex_destroy(&mutex));
	assert_ok(dlclose(handle));
}
#endif

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_handle_of_the_c_library),
		team_test(the_second_names),
#ifdef __x86_64__
		team_test(old_condition_variables),
#endif
	};

	return cmocka_run_group_tests_name("doors", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
