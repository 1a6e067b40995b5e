/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * glibc has two versions of these symbols on x86-64. To programs from before 2003 a condition
 * variable is a pointer. Each reference must find functions that know its layout.
 */
#include "ours.h"

#include <dlfcn.h>

struct old_cond {
	pthread_cond_t *cond;
};

int old_cond_init(struct old_cond *cond, const pthread_condattr_t *attr);
int old_cond_destroy(struct old_cond *cond);
int old_cond_wait(struct old_cond *cond, pthread_mutex_t *mutex);
int old_cond_timedwait(struct old_cond *cond, pthread_mutex_t *mutex, const struct timespec *time);
int old_cond_signal(struct old_cond *cond);
int old_cond_broadcast(struct old_cond *cond);
int old_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
		       const struct timespec *time); /* with the present layout */

__asm__(".symver old_cond_init, pthread_cond_init@GLIBC_2.2.5");
__asm__(".symver old_cond_destroy, pthread_cond_destroy@GLIBC_2.2.5");
__asm__(".symver old_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver old_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
__asm__(".symver old_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver old_cond_broadcast, pthread_cond_broadcast@GLIBC_2.2.5");
__asm__(".symver old_cond_clockwait, pthread_cond_clockwait@GLIBC_2.30");

enum { GUARD = 0x5aa55aa5 };

/* Memory behind an old condition variable, which no call may write. */
static struct {
	struct old_cond cond;
	int guard[10];
} old;
static pthread_mutex_t mutex;
static int tokens;

static void take_a_token(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	while (tokens == 0)
		assert_ok(old_cond_wait(&old.cond, &mutex));
	tokens--;
	note('t');
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void let_go(int (*wake)(struct old_cond *))
{
	struct member waiter;

	forget_notes();
	start(&waiter, 20, take_a_token, NULL);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_lock(&mutex));
	tokens = 1;
	assert_ok(wake(&old.cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&waiter);
	assert_string_equal(notes(), "t");
}

static void use_old_one(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 2);

	for (size_t i = 0; i < sizeof(old.guard) / sizeof(old.guard[0]); i++)
		old.guard[i] = GUARD;
	assert_ok(old_cond_init(&old.cond, NULL));
	let_go(old_cond_signal);
	let_go(old_cond_broadcast);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(old_cond_timedwait(&old.cond, &mutex, &end), ETIMEDOUT);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok(old_cond_destroy(&old.cond));
	for (size_t i = 0; i < sizeof(old.guard) / sizeof(old.guard[0]); i++)
		assert_int_equal(old.guard[i], GUARD);
}

static void old_ones_with_any_mutex(void **state)
{
	UNUSED(state);
	assert_ok(pthread_mutex_init(&mutex, NULL));
	use_old_one();
	make_mutex(&mutex, 60, PTHREAD_MUTEX_NORMAL);
	use_old_one();
}

enum server { LIBC, DROP_IN };

static const struct {
	void *reference;
	const char *name;
	enum server server;
} references[] = {
	{ old_cond_init, "pthread_cond_init@GLIBC_2.2.5", LIBC },
	{ old_cond_destroy, "pthread_cond_destroy@GLIBC_2.2.5", LIBC },
	{ old_cond_wait, "pthread_cond_wait@GLIBC_2.2.5", DROP_IN },
	{ old_cond_timedwait, "pthread_cond_timedwait@GLIBC_2.2.5", DROP_IN },
	{ old_cond_signal, "pthread_cond_signal@GLIBC_2.2.5", DROP_IN },
	{ old_cond_broadcast, "pthread_cond_broadcast@GLIBC_2.2.5", DROP_IN },
	{ old_cond_clockwait, "pthread_cond_clockwait@GLIBC_2.30", DROP_IN },
	{ pthread_cond_init, "pthread_cond_init", DROP_IN },
	{ pthread_cond_destroy, "pthread_cond_destroy", DROP_IN },
	{ pthread_cond_wait, "pthread_cond_wait", DROP_IN },
	{ pthread_cond_timedwait, "pthread_cond_timedwait", DROP_IN },
	{ pthread_cond_signal, "pthread_cond_signal", DROP_IN },
	{ pthread_cond_broadcast, "pthread_cond_broadcast", DROP_IN },
	{ pthread_cond_clockwait, "pthread_cond_clockwait", DROP_IN },
};

/* The references as the dynamic linker resolved them. */
static void each_version_has_its_server(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
		bool drop_in = on_plafond() && references[i].server == DROP_IN;
		Dl_info info;

		assert_true(dladdr(references[i].reference, &info) != 0);
		if (strstr(info.dli_fname, drop_in ? "libplafond-pthread.so" : "libc.so") == NULL)
			fail_msg("%s is of %s", references[i].name, info.dli_fname);
	}
}

/* The two versions of a name are two functions. Without a version the present function is meant. */
static void present_and_old_differ(void **state)
{
	UNUSED(state);
	assert_ptr_not_equal(old_cond_wait, pthread_cond_wait);
	assert_ptr_not_equal(old_cond_timedwait, pthread_cond_timedwait);
	assert_ptr_not_equal(old_cond_signal, pthread_cond_signal);
	assert_ptr_not_equal(old_cond_broadcast, pthread_cond_broadcast);
	assert_ptr_equal(dlsym(RTLD_DEFAULT, "pthread_cond_wait"), pthread_cond_wait);
	assert_ptr_equal(dlsym(RTLD_DEFAULT, "pthread_cond_signal"), pthread_cond_signal);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(old_ones_with_any_mutex),
		team_test(each_version_has_its_server),
		team_test(present_and_old_differ),
	};

	return cmocka_run_group_tests_name("versions", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
