/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The rule itself: the owner of a mutex runs at its ceiling. A thread that an open section covers
 * runs none of its own code until the section ends, whatever call it slept in. A thread above the
 * ceiling runs at once.
 */
#include "team.h"

#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static sem_t sem;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int pipe_ends[2];

static int setup(void **state)
{
	make_mutex(&mutex, 40, PTHREAD_MUTEX_DEFAULT);
	assert_ok(sem_init(&sem, 0, 0));
	return prepare_main(state);
}

#define rule_test(f) cmocka_unit_test_setup(f, setup)

static void each_step(void **state)
{
	int self = gettid();

	UNUSED(state);
	for (int round = 0; round < 3; round++) {
		assert_int_equal(kernel_priority(self), LOW);
		assert_ok(pthread_mutex_lock(&mutex));
		expect_perhaps_raised(40, LOW);
		assert_int_equal(base_priority(), LOW);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_int_equal(kernel_priority(self), LOW);
	}
}

static void the_highest_ceiling(void **state)
{
	pthread_mutex_t highest;

	UNUSED(state);
	make_mutex(&highest, 99, PTHREAD_MUTEX_DEFAULT);
	assert_ok(pthread_mutex_lock(&highest));
	expect_perhaps_raised(99, LOW);
	assert_int_equal(effective_priority(), 99);
	assert_ok(pthread_mutex_unlock(&highest));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

/* If the caller asks, it gets the ceiling, and the kernel knows the ceiling from then on. */
static void a_caller_that_asks_sees_the_ceiling(void **state)
{
	UNUSED(state);
	assert_int_equal(effective_priority(), LOW);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(kernel_priority(gettid()), 40);
	assert_int_equal(base_priority(), LOW);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
}

static void ask_of(void *tid)
{
	struct sched_param param;

	assert_ok(sem_wait(&sem));
	assert_ok(sched_getparam(*(int *)tid, &param));
	assert_int_equal(param.sched_priority, 40);
	assert_int_equal(sched_getscheduler(*(int *)tid), SCHED_FIFO);
	note('?');
}

static void another_thread_sees_the_ceiling(void **state)
{
	struct member high;
	int self = gettid();

	UNUSED(state);
	start(&high, 50, ask_of, &self);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_post(&sem));
	assert_string_equal(notes(), "?");
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	join(&high);
}

/* Two sections, in either order of their ceilings. */
static void another_thread_sees_the_highest(void **state)
{
	static const int outer[] = { 40, 30 }, inner[] = { 30, 40 };
	int self = gettid();

	UNUSED(state);
	for (int i = 0; i < 2; i++) {
		struct member high;
		pthread_mutex_t around, within;

		make_mutex(&around, outer[i], PTHREAD_MUTEX_NORMAL);
		make_mutex(&within, inner[i], PTHREAD_MUTEX_NORMAL);
		start(&high, 50, ask_of, &self);
		assert_ok(pthread_mutex_lock(&around));
		assert_ok(pthread_mutex_lock(&within));
		assert_ok(sem_post(&sem));
		assert_ok(pthread_mutex_unlock(&within));
		assert_ok(pthread_mutex_unlock(&around));
		join(&high);
	}
	assert_string_equal(notes(), "??");
}

static void the_highest_owner_may_be_at_its_ceiling(void **state)
{
	struct sched_param param = { .sched_priority = 40 };

	UNUSED(state);
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 40);
}

/* The calls in which a member sleeps, and the steps that end them from inside the section. */
static void in_semaphore(void)
{
	assert_ok(sem_wait(&sem));
}

static void post(void)
{
	assert_ok(sem_post(&sem));
}

static void in_clock(void)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, 2);

	assert_ok(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL));
}

static void let_time_pass(void)
{
	stay_busy_us(4000);
}

static void in_condition(void)
{
	assert_ok(pthread_mutex_lock(&plain));
	assert_ok(pthread_cond_wait(&cond, &plain));
	assert_ok(pthread_mutex_unlock(&plain));
}

static void signal_condition(void)
{
	assert_ok(pthread_cond_signal(&cond));
}

static void in_read(void)
{
	char byte;

	assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
}

static void in_poll(void)
{
	struct pollfd fd = { .fd = pipe_ends[0], .events = POLLIN };

	assert_int_equal(poll(&fd, 1, -1), 1);
	in_read();
}

static void write_byte(void)
{
	assert_int_equal(write(pipe_ends[1], "", 1), 1);
}

static void in_barrier(void)
{
	pthread_barrier_wait(&barrier);
}

static const struct sleep {
	void (*sleep)(void);
	void (*end)(void);
} sleeps[] = {
	{ in_semaphore, post },	 { in_clock, let_time_pass }, { in_condition, signal_condition },
	{ in_read, write_byte }, { in_poll, write_byte },     { in_barrier, in_barrier },
};

static void sleep_then_run(void *argument)
{
	const struct sleep *sleep = argument;

	sleep->sleep();
	note('m');
}

/* A thread of that priority wakes up during a section of ceiling 40. */
static void arrival(const struct sleep *sleep, int priority, const char *order)
{
	struct member member;

	forget_notes();
	start(&member, priority, sleep_then_run, (void *)sleep);
	assert_ok(pthread_mutex_lock(&mutex));
	note('(');
	sleep->end();
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), LOW);
	join(&member);
	assert_string_equal(notes(), order);
}

static void covered_threads_wait_for_the_end(void **state)
{
	UNUSED(state);
	assert_ok(pthread_barrier_init(&barrier, NULL, 2));
	assert_ok(pipe(pipe_ends));
	for (size_t i = 0; i < sizeof(sleeps) / sizeof(sleeps[0]); i++) {
		arrival(&sleeps[i], 20, "()m");
		arrival(&sleeps[i], 40, "()m");
		arrival(&sleeps[i], 41, "(m)");
	}
}

static void several_go_on_by_priority(void **state)
{
	struct member member[4];
	static const int priority[] = { 20, 40, 30, 50 };

	UNUSED(state);
	for (int i = 0; i < 4; i++)
		start(&member[i], priority[i], sleep_then_run, (void *)&sleeps[0]);
	assert_ok(pthread_mutex_lock(&mutex));
	for (int i = 0; i < 4; i++)
		assert_ok(sem_post(&sem));
	assert_string_equal(notes(), "m");
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "m)mmm");
	for (int i = 0; i < 4; i++)
		join(&member[i]);
}

static void say(void *letter)
{
	note(*(char *)letter);
}

static void a_thread_born_in_a_section_waits_too(void **state)
{
	struct member covered, above;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&covered, 40, say, "c");
	start(&above, 41, say, "a");
	note(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "a)c");
	join(&covered);
	join(&above);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		rule_test(each_step),
		rule_test(the_highest_ceiling),
		rule_test(a_caller_that_asks_sees_the_ceiling),
		rule_test(another_thread_sees_the_ceiling),
		rule_test(another_thread_sees_the_highest),
		rule_test(the_highest_owner_may_be_at_its_ceiling),
		rule_test(covered_threads_wait_for_the_end),
		rule_test(several_go_on_by_priority),
		rule_test(a_thread_born_in_a_section_waits_too),
	};

	return cmocka_run_group_tests_name("effective priority", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
