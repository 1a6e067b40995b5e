/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Callers of every policy, pinned and not: the effect of a lock, and the state afterwards. */
#include "team.h"

#include <linux/sched.h>
#include <linux/types.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex;

static int timed(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 20);

	return pthread_mutex_timedlock(&mutex, &end);
}

static int trylock(void)
{
	return pthread_mutex_trylock(&mutex);
}

static int lock(void)
{
	return pthread_mutex_lock(&mutex);
}

static int (*const locks[])(void) = { lock, trylock, timed };

/* The lock is refused twice, so the first refusal left nothing behind. */
static void lock_as_other(void *how)
{
	int (*attempt)(void) = *(int (**)(void))how;

	assert_int_equal(attempt(), EINVAL);
	assert_int_equal(sched_getscheduler(0), SCHED_OTHER);
	assert_int_equal(effective_priority(), 0);
	assert_int_equal(attempt(), expected(OTHER_LOCKS_AGAIN));
	assert_int_equal(effective_priority(), 0);
	assert_int_equal(base_priority(), 0);
}

static void sched_other_is_refused(void **state)
{
	struct member member;

	UNUSED(state);
	for (int cpu = ANY_CPU; cpu <= 0; cpu++) {
		for (int i = 0; i < 3; i++) {
			make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
			start_as(&member, SCHED_OTHER, cpu, 0, lock_as_other, (void *)&locks[i]);
			join(&member);
			if (expected(OTHER_LOCKS_AGAIN) != 0)
				assert_int_equal(pthread_mutex_trylock(&mutex), 0);
		}
	}
}

/* A thread that was refused and becomes real-time later locks as any other thread. */
static void become_real_time(void *unused)
{
	struct sched_param param = { .sched_priority = 20 };

	UNUSED(unused);
	assert_int_equal(lock(), EINVAL);
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param));
	assert_int_equal(effective_priority(), expected(FIFO_AFTER_REFUSED_LOCK));
	assert_ok(lock());
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), expected(FIFO_AFTER_REFUSED_LOCK));
}

static void real_time_after_a_refused_lock(void **state)
{
	struct member member;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	start_as(&member, SCHED_OTHER, 0, 0, become_real_time, NULL);
	join(&member);
}

/* The policy stays the same inside and after the section. */
static void lock_as_real_time(void *policy)
{
	for (int round = 0; round < 3; round++) {
		assert_ok(lock());
		assert_int_equal(sched_getscheduler(0), *(int *)policy);
		assert_int_equal(effective_priority(), 40);
		assert_int_equal(base_priority(), 20);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(sched_getscheduler(0), *(int *)policy);
		assert_int_equal(effective_priority(), 20);
	}
	assert_ok(pthread_setschedprio(pthread_self(), 41));
	assert_int_equal(lock(), EINVAL);
	assert_int_equal(trylock(), EINVAL);
	assert_int_equal(timed(), EINVAL);
	assert_int_equal(sched_getscheduler(0), *(int *)policy);
	assert_int_equal(effective_priority(), 41);
}

static void round_robin_and_fifo(void **state)
{
	struct member member;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	for (int cpu = ANY_CPU; cpu <= 1; cpu++) {
		for (int policy = SCHED_FIFO; policy <= SCHED_RR; policy++) {
			start_as(&member, policy, cpu, 20, lock_as_real_time, &policy);
			join(&member);
		}
	}
}

/* A section of a SCHED_RR thread delays a covered SCHED_FIFO thread, and the reverse. */
static void say(void *letter)
{
	note(*(char *)letter);
}

static void open_section(void *policy)
{
	struct member covered;

	assert_ok(lock());
	start_as(&covered, *(int *)policy, 0, 40, say, "m");
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&covered);
}

static void policies_mix(void **state)
{
	struct member member;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	for (int policy = SCHED_FIFO; policy <= SCHED_RR; policy++) {
		int other = SCHED_FIFO + SCHED_RR - policy;

		forget_notes();
		start_as(&member, policy, 0, 20, open_section, &other);
		join(&member);
		assert_string_equal(notes(), ")m");
	}
}

/* The kernel's struct sched_attr, which the C library of 2023 does not declare. */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static void lock_as_deadline(void *unused)
{
	struct attr attr = { .size = sizeof(attr),
			     .policy = SCHED_DEADLINE,
			     .runtime = 2000000,
			     .deadline = 20000000,
			     .period = 20000000 };

	UNUSED(unused);
	assert_ok(syscall(SYS_sched_setattr, 0, &attr, 0));
	assert_int_equal(lock(), EINVAL);
	assert_int_equal(sched_getscheduler(0), SCHED_DEADLINE);
	assert_int_equal(trylock(), expected(DEADLINE_LOCKS_AGAIN));
	assert_int_equal(sched_getscheduler(0), SCHED_DEADLINE);
}

static void *run_deadline(void *unused)
{
	lock_as_deadline(unused);
	return NULL;
}

/* The kernel admits such threads only if they may run on all CPUs. */
static void sched_deadline_is_refused(void **state)
{
	struct sched_param param = { .sched_priority = 0 };
	pthread_t thread;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	pin(0, ANY_CPU);
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param));
	assert_ok(pthread_create(&thread, NULL, run_deadline, NULL));
	assert_ok(pthread_join(thread, NULL));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(sched_other_is_refused),    team_test(real_time_after_a_refused_lock),
		team_test(round_robin_and_fifo),      team_test(policies_mix),
		team_test(sched_deadline_is_refused),
	};

	return cmocka_run_group_tests_name("policies", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
