/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* If the kernel refuses a wait for an unknown reason, the wait ends with the kernel's error. */
#include "../../real_time/test/patience.h"
#include "../../real_time/test/refuse_call.h"
#include "team.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CEILING = 60 };

static plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(CEILING);
static plf_cond_t cond = PLF_COND_INITIALIZER;

static void refuse_futex(uint32_t operation)
{
	plf_end_if_hung();
	assert_true(refuse_call(SYS_futex, (uint32_t)FUTEX_CMD_MASK, operation, EINVAL));
}

static void wait_in_vain(void)
{
	refuse_futex(FUTEX_WAIT_BITSET);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_wait(&cond, &mutex), EINVAL);
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, plf_now() + 1000000), EINVAL);
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_cond_destroy(&cond)); /* the queue is empty */
}

static void condition_wait_ends_with_the_error(void **state)
{
	(void)state;
	assert_ok(in_child(wait_in_vain));
}

/* Replaces the library's function, also for its own calls. */
static bool unlock_is_refused;
static int queue_left_with_waiter;

int plf_mutex_unlock_nested(plf_mutex_t *given, struct plf_thread *t)
{
	int (*next)(plf_mutex_t *, struct plf_thread *) = NULL;

	*(void **)&next = dlsym(RTLD_NEXT, "plf_mutex_unlock_nested");
	queue_left_with_waiter += given == &cond.queue_lock && cond.first != 0;
	return unlock_is_refused && given == &mutex ? ENOMEM : next(given, t);
}

/* Inside the outer section, the inner section does not take the fast path. */
static void condition_wait_without_an_unlock_leaves_the_queue(void **state)
{
	plf_mutex_t outer = PLF_MUTEX_INITIALIZER(CEILING);

	(void)state;
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_mutex_lock(&mutex));
	queue_left_with_waiter = 0;
	unlock_is_refused = true;
	assert_int_equal(plf_cond_wait(&cond, &mutex), ENOMEM);
	unlock_is_refused = false;
	assert_int_equal(queue_left_with_waiter, 1); /* it queued before it left its section */
	assert_ok(plf_mutex_unlock(&mutex));	     /* still locked */
	assert_ok(plf_mutex_unlock(&outer));
	assert_ok(plf_cond_destroy(&cond));
	plf_cond_init(&cond);
}

static void sleep_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sleep_ms(50);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void lock_in_vain(void)
{
	struct member sleeper;

	refuse_futex(FUTEX_LOCK_PI);
	start(&sleeper, 2 * LOW, sleep_inside, NULL);
	assert_int_equal(plf_mutex_lock(&mutex), EINVAL);
	assert_int_equal(plf_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(kernel_priority(gettid()), LOW);
	join(&sleeper);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void lock_ends_with_the_error(void **state)
{
	(void)state;
	assert_ok(in_child(lock_in_vain));
}

static sem_t inside, may_leave; /* not plf_sem_t, which has the hook */

static void hold(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&inside);
	sem_wait(&may_leave);
	sleep_ms(1);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* As before Linux 5.14, the kernel gets the same moment of another clock. */
static void wait_without_lock_pi2(void)
{
	struct member holder;
	uint64_t until_ns;

	plf_end_if_hung();
	assert_true(refuse_call(SYS_futex, (uint32_t)FUTEX_CMD_MASK, FUTEX_LOCK_PI2, ENOSYS));
	assert_ok(sem_init(&inside, 0, 0));
	assert_ok(sem_init(&may_leave, 0, 0));
	start(&holder, 2 * LOW, hold, NULL);
	sem_wait(&inside);
	assert_int_equal(plf_mutex_timedlock(&mutex, 0), ETIMEDOUT);
	until_ns = plf_now() + 3000000;
	assert_int_equal(plf_mutex_timedlock(&mutex, until_ns), ETIMEDOUT);
	assert_true(plf_now() >= until_ns);
	sem_post(&may_leave);
	assert_ok(plf_mutex_timedlock(&mutex, plf_now() + 600000000000));
	assert_ok(plf_mutex_unlock(&mutex));
	join(&holder);
}

static void time_limit_needs_no_new_kernel(void **state)
{
	(void)state;
	assert_ok(in_child(wait_without_lock_pi2));
}

static void die_inside(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	vanish();
}

/* The kernel shows no robust list, so only ESRCH shows that a thread vanished. */
static void attach_without_robust_list(void)
{
	struct member victim;

	plf_end_if_hung();
	assert_true(refuse_call(SYS_get_robust_list, 0, 0, ENOSYS));
	start(&victim, 2 * LOW, die_inside, NULL);
	join(&victim);
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void no_robust_list_is_needed(void **state)
{
	(void)state;
	assert_ok(in_child(attach_without_robust_list));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(condition_wait_ends_with_the_error),
		team_test(condition_wait_without_an_unlock_leaves_the_queue),
		team_test(lock_ends_with_the_error),
		team_test(time_limit_needs_no_new_kernel),
		team_test(no_robust_list_is_needed),
	};

	return cmocka_run_group_tests_name("kernel refuses", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
