/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Requests that servers refuse. A refused request leaves nothing behind. */
#include "team.h"

#include <dirent.h>
#include <grp.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

enum { MAIN = 60 };

static int be_main(void **state)
{
	struct sched_param param = { .sched_priority = MAIN };
	cpu_set_t set;

	(void)state;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	return sched_setaffinity(0, sizeof(set), &set) != 0 ||
	       sched_setscheduler(0, SCHED_FIFO, &param) != 0;
}

static int init(plf_server_t *server, int priority, uint64_t period_ns, uint64_t budget_ns)
{
	return plf_server_init(server, 0, priority, period_ns, budget_ns, PLF_SERVER_IDLING);
}

static size_t threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	size_t count = 0;

	assert_non_null(tasks);
	for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(tasks);
	return count;
}

/*
 * A joined thread still exists until the kernel has ended it, which it does at the thread's own
 * priority.
 */
static void expect_threads(size_t count)
{
	for (int looks = 0; looks < 1000 && threads() != count; looks++)
		sleep_ms(2);
	assert_int_equal(threads(), count);
}

static void parameters_are_checked(void **state)
{
	plf_server_t s;

	(void)state;
	assert_int_equal(init(&s, 0, 10 * MS, MS), EINVAL);
	assert_int_equal(init(&s, -1, 10 * MS, MS), EINVAL);
	assert_int_equal(init(&s, PLF_GLOBAL_BAND, 10 * MS, MS), EINVAL);
	assert_int_equal(init(&s, PLF_GLOBAL_BAND - 1, 10 * MS, MS), ERANGE);
	assert_int_equal(init(&s, 5, PLF_SERVER_PERIOD_MIN_NS - 1, 1), EINVAL);
	assert_int_equal(init(&s, 5, PLF_SERVER_PERIOD_MAX_NS + 1, 1), EINVAL);
	assert_int_equal(init(&s, 5, 10 * MS, 0), EINVAL);
	assert_int_equal(init(&s, 5, 10 * MS, 10 * MS + 1), EINVAL);
	assert_int_equal(plf_server_init(&s, -1, 5, 10 * MS, MS, PLF_SERVER_IDLING), EINVAL);
	assert_int_equal(plf_server_init(&s, 1024, 5, 10 * MS, MS, PLF_SERVER_IDLING), EINVAL);
	assert_int_equal(plf_server_init(&s, 1023, 5, 10 * MS, MS, PLF_SERVER_IDLING), EINVAL);
	assert_int_equal(plf_server_init(&s, 0, 5, 10 * MS, MS, PLF_SERVER_PAYBACK + 1), EINVAL);
	assert_int_equal(s.number, 0);
	expect_threads(1);
	assert_string_equal(plf_backend(), "none");
}

static void limits_are_accepted(void **state)
{
	plf_server_t s;

	(void)state;
	assert_ok(init(&s, PLF_GLOBAL_BAND - 2, PLF_SERVER_PERIOD_MIN_NS, 1));
	assert_ok(plf_server_destroy(&s));
	assert_ok(init(&s, 1, PLF_SERVER_PERIOD_MAX_NS, 1));
	assert_ok(plf_server_destroy(&s));
}

static void no_more_than_the_cpu(void **state)
{
	plf_server_t a, b, c;

	(void)state;
	assert_ok(init(&a, 10, 10 * MS, 5 * MS));
	assert_int_equal(init(&b, 20, 20 * MS, 10 * MS + 1), ENOSPC);
	assert_ok(init(&b, 20, 20 * MS, 10 * MS));
	assert_int_equal(init(&c, 30, 1000 * MS, 1000), ENOSPC);
	assert_ok(plf_server_destroy(&a));
	assert_ok(init(&c, 30, 10 * MS, 5 * MS));
	assert_ok(plf_server_destroy(&b));
	assert_ok(plf_server_destroy(&c));
	expect_threads(1);
	assert_string_equal(plf_backend(), "none");
}

static plf_server_t low, high;

/*
 * After the stacks of the CPUs come the stacks of servers, which are robust. No strict thread may
 * get such a stack.
 */
static void attach_beyond_all_cpus(void *unused)
{
	(void)unused;
	assert_ok(mlockall(MCL_CURRENT));
	assert_int_equal(plf_attach(1, 1024, PLF_STRICT), EINVAL);
	assert_ok(munlockall());
}

static sem_t has_joined, may_leave;

static void join_below(void *unused)
{
	(void)unused;
	assert_ok(plf_server_join(&low, 1));
	sem_post(&has_joined);
	sem_wait(&may_leave);
}

/* The band that the thread would reach is not that of the most urgent server. */
static void find_band_between(void)
{
	plf_server_t top;

	assert_ok(init(&top, 30, 100 * MS, MS));
	assert_int_equal(plf_server_join(&low, 10), ERANGE);
	assert_ok(plf_server_destroy(&top));
}

static void find_bands(void *unused)
{
	struct member member, below;
	plf_server_t other;

	(void)unused;
	find_band_between();
	assert_int_equal(plf_server_join(&low, 0), EINVAL);
	assert_int_equal(plf_server_join(&low, 10), ERANGE); /* the priority of `high` */
	assert_int_equal(plf_server_join(&low, 11), ERANGE);
	assert_int_equal(plf_server_join(&high, PLF_GLOBAL_BAND - 20), ERANGE);
	assert_int_equal(plf_server_join(&high, 1 << 30), ERANGE);
	assert_int_equal(sched_getscheduler(0), SCHED_FIFO);
	assert_int_equal(kernel_priority(gettid()), MAIN + 1);
	start_stranger(&below, MAIN + 1, join_below, NULL);
	sem_wait(&has_joined);
	assert_ok(plf_server_join(&low, 5));
	assert_int_equal(plf_server_join(&low, 5), EALREADY);
	assert_int_equal(plf_attach(5, 0, 0), EALREADY);
	start_stranger(&member, MAIN + 1, attach_beyond_all_cpus, NULL);
	join(&member);
	assert_int_equal(init(&other, 10, 100 * MS, MS), ERANGE);
	assert_int_equal(init(&other, 15, 100 * MS, MS), ERANGE);
	assert_int_equal(plf_server_destroy(&low), EBUSY);
	assert_ok(init(&other, 16, 100 * MS, MS));
	assert_ok(plf_server_destroy(&other));
	sem_post(&may_leave);
	join(&below);
	assert_ok(plf_detach());
	assert_ok(plf_server_join(&high, PLF_GLOBAL_BAND - 21));
}

static void bands_are_apart(void **state)
{
	struct member member;

	(void)state;
	assert_ok(sem_init(&has_joined, 0, 0));
	assert_ok(sem_init(&may_leave, 0, 0));
	assert_ok(init(&low, 10, 10 * MS, 5 * MS));
	assert_ok(init(&high, 20, 10 * MS, 4 * MS));
	start_stranger(&member, MAIN + 1, find_bands, NULL);
	join(&member);
	assert_ok(plf_server_destroy(&high));
	assert_ok(plf_server_destroy(&low));
}

static void not_initialised_is_einval(void **state)
{
	plf_server_t s = { 0 };
	struct plf_server_stats stats;

	(void)state;
	assert_int_equal(plf_server_join(&s, 1), EINVAL);
	assert_int_equal(plf_server_begin(&s, 0), EINVAL);
	assert_int_equal(plf_server_watch(&s, NULL, NULL), EINVAL);
	assert_int_equal(plf_server_get_stats(&s, &stats), EINVAL);
	assert_int_equal(plf_server_destroy(&s), EINVAL);
	assert_ok(init(&s, 10, 10 * MS, 5 * MS));
	assert_ok(plf_server_destroy(&s));
	assert_int_equal(plf_server_destroy(&s), EINVAL);
}

static void one_backend(void **state)
{
	plf_server_t s;

	(void)state;
	assert_ok(plf_attach(5, 0, PLF_BACKEND_SYSCALL));
	assert_int_equal(init(&s, 10, 10 * MS, 5 * MS), EBUSY);
	assert_ok(plf_detach());
	assert_int_equal(be_main(NULL), 0);
	expect_threads(1);
	assert_ok(init(&s, 10, 10 * MS, 5 * MS));
	assert_string_equal(plf_backend(), "user");
	assert_int_equal(plf_attach(5, 0, PLF_BACKEND_SYSCALL), EBUSY);
	assert_ok(plf_server_destroy(&s));
}

static void lock_global(void *server)
{
	plf_mutex_t global = PLF_MUTEX_GLOBAL_INITIALIZER;

	assert_ok(plf_server_join(server, 1));
	assert_int_equal(plf_mutex_lock(&global), ENOTSUP);
	assert_int_equal(plf_mutex_trylock(&global), ENOTSUP);
	assert_int_equal(plf_mutex_timedlock(&global, 0), ENOTSUP);
}

static void no_mutexes_across_cpus(void **state)
{
	struct member member;
	plf_server_t s;

	(void)state;
	assert_ok(init(&s, 10, 10 * MS, 5 * MS));
	start_stranger(&member, MAIN + 1, lock_global, &s);
	join(&member);
	assert_ok(plf_server_destroy(&s));
}

static void as_many_as_there_are_numbers(void **state)
{
	static plf_server_t s[PLF_SERVER_MAX];
	plf_server_t more;

	(void)state;
	for (int i = 0; i < PLF_SERVER_MAX && i < PLF_GLOBAL_BAND - 2; i++)
		assert_ok(init(&s[i], i + 1, 1000 * MS, MS));
	assert_int_equal(init(&more, 20, 1000 * MS, MS), ERANGE);
	for (int i = 0; i < PLF_SERVER_MAX && i < PLF_GLOBAL_BAND - 2; i++)
		assert_ok(plf_server_destroy(&s[i]));
}

static void init_without_privilege(void)
{
	struct rlimit none = { 0 };
	struct sched_param param = { 0 };
	plf_server_t s;

	assert_ok(sched_setscheduler(0, SCHED_OTHER, &param));
	assert_ok(setrlimit(RLIMIT_RTPRIO, &none));
	assert_ok(setgroups(0, NULL));
	assert_ok(setuid(65534));
	assert_int_equal(init(&s, 10, 10 * MS, 5 * MS), EPERM);
	assert_int_equal(s.number, 0);
	expect_threads(1);
}

static void privilege_is_needed(void **state)
{
	(void)state;
	assert_int_equal(in_child(init_without_privilege), 0);
}

static int init_sharer(plf_server_t *s, int priority, int policy)
{
	return plf_server_init(s, 0, priority, 10 * MS, MS, policy);
}

static void shares_are_checked(void **state)
{
	plf_server_t idling, skips, overruns, gone = { 0 }, one_too_many;
	plf_server_t more[PLF_SHARED_SERVERS_MAX - 2];
	plf_shared_t shared;

	(void)state;
	plf_shared_init(&shared);
	assert_ok(init_sharer(&idling, 10, PLF_SERVER_IDLING));
	assert_ok(init_sharer(&skips, 11, PLF_SERVER_SKIP));
	assert_ok(init_sharer(&overruns, 12, PLF_SERVER_PAYBACK));
	assert_int_equal(plf_server_share(&gone, &shared, 1, 1000), EINVAL);
	assert_int_equal(plf_server_share(&skips, &shared, 0, 1000), EINVAL);
	assert_int_equal(plf_server_share(&skips, &shared, 100, 1000), EINVAL);
	assert_int_equal(plf_server_share(&skips, &shared, 1, 0), EINVAL);
	assert_int_equal(plf_server_share(&skips, &shared, 1, PLF_SERVER_PERIOD_MAX_NS + 1),
			 EINVAL);
	assert_int_equal(plf_server_share(&overruns, &shared, 0, 1000), EINVAL);
	assert_int_equal(shared.bound, 0);
	assert_int_equal(plf_server_share(&idling, &shared, 1, 1000), ENOTSUP);
	assert_int_equal(plf_server_share(&skips, &shared, 1, MS), ERANGE);
	assert_ok(plf_server_share(&skips, &shared, 1, MS - 1));
	assert_ok(plf_server_share(&overruns, &shared, 1, PLF_SERVER_PERIOD_MAX_NS));
	for (int i = 0; i < PLF_SHARED_SERVERS_MAX - 2; i++) {
		assert_ok(plf_server_init(&more[i], 0, 13 + i, 100 * MS, MS, PLF_SERVER_OVERRUN));
		assert_ok(plf_server_share(&more[i], &shared, 1, MS));
	}
	assert_ok(plf_server_init(&one_too_many, 0, 30, 100 * MS, MS, PLF_SERVER_SKIP));
	assert_int_equal(plf_server_share(&one_too_many, &shared, 1, 1000), ENOMEM);
	assert_int_equal(plf_shared_lock(&shared), EPERM);
	assert_int_equal(plf_shared_unlock(&shared), EPERM);
	assert_ok(plf_shared_destroy(&shared));
	assert_ok(plf_server_destroy(&one_too_many));
	for (size_t i = 0; i < PLF_SHARED_SERVERS_MAX - 2; i++)
		assert_ok(plf_server_destroy(&more[i]));
	assert_ok(plf_server_destroy(&idling));
	assert_ok(plf_server_destroy(&skips));
	assert_ok(plf_server_destroy(&overruns));
}

static void errors_have_sentences(void **state)
{
	(void)state;
	assert_string_equal(plf_strerror(ENOSPC),
			    "the servers of the CPU would have more than all of it");
	assert_string_equal(plf_strerror(ERANGE),
			    "the priority is not in the server's band, or no band is left there");
}

#define test(f) cmocka_unit_test_setup(f, be_main)

static int all(void)
{
	const struct CMUnitTest tests[] = {
		test(parameters_are_checked),	 test(limits_are_accepted),
		test(no_more_than_the_cpu),	 test(bands_are_apart),
		test(not_initialised_is_einval), test(one_backend),
		test(no_mutexes_across_cpus),	 test(as_many_as_there_are_numbers),
		test(privilege_is_needed),	 test(errors_have_sentences),
		test(shares_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, all);
}
