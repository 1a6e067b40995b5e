/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Sections that run: their events, exclusion, and each early end. */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 3, ROUNDS = 300, THREADS = 4 };

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void each_step_is_noted(void **state)
{
	static const unsigned kinds[] = { IMMPC_EVENT_REQUEST, IMMPC_EVENT_GRANT,
					  IMMPC_EVENT_REQUEST, IMMPC_EVENT_GRANT,
					  IMMPC_EVENT_UNLOCK,  IMMPC_EVENT_UNLOCK };
	static const unsigned steps[] = { 0, 0, 2, 2, 4, 5 };
	struct immpc_event events[EVENTS_MAX];
	struct immpc_run run;

	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		int a = make_resource(kind, 50), b = make_resource(kind, 60);
		int section = SECTION(LOCK(a), WORK(MILLISECOND), LOCK(b), WORK(MILLISECOND),
				      UNLOCK(b), UNLOCK(a));
		int64_t last = now_ns();
		unsigned noted = 0;

		schedule(40);
		assert_int_equal(run_section(section, &run, events), 0);
		for (unsigned i = 0; i < run.event_count; i++) {
			assert_true(events[i].time_ns >= (i == 0 ? 0 : last));
			last = events[i].time_ns;
			if (events[i].kind >= IMMPC_EVENT_SUSPEND)
				continue;
			assert_int_equal(events[i].kind, kinds[noted]);
			assert_int_equal(events[i].step, steps[noted]);
			noted++;
		}
		assert_int_equal(noted, 6);
		assert_true(last <= run.seen_ns && run.seen_ns <= now_ns());
		assert_int_equal(run.lost_gaps, 0);
	}
}

struct visitor {
	int section;
	struct immpc_event events[EVENTS_MAX];
	int64_t entered[ROUNDS], left[ROUNDS];
};

static void *visit(void *argument)
{
	struct visitor *visitor = argument;
	struct immpc_run run;

	for (int round = 0; round < ROUNDS; round++) {
		if (run_section(visitor->section, &run, visitor->events) != 0)
			return "a section did not run";
		for (unsigned i = 0; i < run.event_count; i++) {
			if (visitor->events[i].kind == IMMPC_EVENT_GRANT)
				visitor->entered[round] = visitor->events[i].time_ns;
			if (visitor->events[i].kind == IMMPC_EVENT_UNLOCK)
				visitor->left[round] = visitor->events[i].time_ns;
		}
	}
	return NULL;
}

/* Both ascend. No two intervals may overlap. */
static void expect_exclusion(const struct visitor *one, const struct visitor *other)
{
	for (int i = 0, j = 0; i < ROUNDS && j < ROUNDS;) {
		if (one->left[i] <= other->entered[j])
			i++;
		else if (other->left[j] <= one->entered[i])
			j++;
		else
			fail_msg("two threads were in a section at once");
	}
}

static void one_at_a_time(void **state)
{
	static struct visitor visitors[THREADS];
	pthread_t threads[THREADS];
	void *complaint;

	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		int a = make_resource(kind, 50);

		for (int i = 0; i < THREADS; i++) {
			visitors[i].section = SECTION(LOCK(a), WORK(20000), UNLOCK(a), WORK(5000));
			assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
		}
		for (int i = 0; i < THREADS; i++) {
			pthread_join(threads[i], &complaint);
			assert_null(complaint);
		}
		for (int i = 1; i < THREADS; i++)
			for (int j = 0; j < i; j++)
				expect_exclusion(&visitors[i], &visitors[j]);
	}
}

/*
 * Start an ordinary child that stays in the section for a minute. The caller is above all its
 * ceilings.
 */
static pid_t start_child(int section)
{
	struct timespec while_it_begins = { .tv_nsec = 100 * MILLISECOND };
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct immpc_event events[EVENTS_MAX];
		struct immpc_run run;

		schedule(0);
		run_section(section, &run, events);
		_exit(0);
	}
	nanosleep(&while_it_begins, NULL);
	return child;
}

/* The child is not released here: see in_child() of ../../test/words.c. */
static void kill_child(pid_t child)
{
	int64_t before = now_ns();
	siginfo_t end;

	kill(child, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT), 0);
	assert_int_equal(end.si_code, CLD_KILLED);
	assert_true(now_ns() - before < 1000 * (int64_t)MILLISECOND);
}

/* All its locks can be locked afterwards, and the section can run again. */
static void killed_in_a_section(void **state)
{
	struct immpc_event events[EVENTS_MAX];
	struct immpc_run run;

	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		int a = make_resource(kind, 50), b = make_resource(kind, 60);
		int c = make_resource(kind, 40);
		int endless = SECTION(LOCK(a), LOCK(c), UNLOCK(c), LOCK(b), WORK(IMMPC_WORK_MAX_NS),
				      UNLOCK(b), UNLOCK(a));
		int both = SECTION(LOCK(a), LOCK(b), LOCK(c), UNLOCK(c), UNLOCK(b), UNLOCK(a));

		for (int times = 0; times < 2; times++) {
			schedule(70);
			kill_child(start_child(endless));
			schedule(0);
			assert_int_equal(run_section(both, &run, events), 0);
		}
	}
}

static void one_thread_in_a_section(void **state)
{
	int a = make_resource(IMMPC_KIND_RT_MUTEX, 50);
	int endless = SECTION(LOCK(a), WORK(IMMPC_WORK_MAX_NS), UNLOCK(a));
	struct immpc_event events[EVENTS_MAX];
	struct immpc_run run;
	pid_t child;

	(void)state;
	schedule(70);
	child = start_child(endless);
	expect_errno(EBUSY, run_section(endless, &run, events));
	kill_child(child);
}

static void not_unloaded_while_open(void **state)
{
	(void)state;
	expect_errno(EWOULDBLOCK, (int)syscall(SYS_delete_module, "immpc_driver", O_NONBLOCK));
	expect_errno(EWOULDBLOCK, (int)syscall(SYS_delete_module, "plafond", O_NONBLOCK));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_device, close_device)

int main(void)
{
	const struct CMUnitTest all[] = {
		TEST(each_step_is_noted),      TEST(one_at_a_time),
		TEST(killed_in_a_section),     TEST(one_thread_in_a_section),
		TEST(not_unloaded_while_open),
	};

	return cmocka_run_group_tests_name("driver sections", all, NULL, NULL);
}
