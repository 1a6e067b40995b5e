/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Scheduling that bypasses this library's calls: set by another process, as rtkit and chrt do, or
 * by system calls of a language's run-time. Priorities rise and fall, before the first section,
 * after a refused lock, and inside a section.
 */
#include "enter_kernel.h"
#include "team.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static sem_t go;

/* ---- The setters ---------------------------------------------------------- */

struct change {
	int tid, policy, priority;
};

static void set_by_instruction(void *argument)
{
	const struct change *change = argument;
	struct sched_param param = { .sched_priority = change->priority };
	const long arguments[6] = { change->tid, change->policy, (long)&param };

	assert_int_equal(plf_enter_kernel(SYS_sched_setscheduler, arguments), 0);
}

static void set_by_process(void *change)
{
	assert_int_equal(in_child(set_by_instruction, change), 0);
}

static void (*const setters[])(void *) = { set_by_instruction, set_by_process };

enum { SETTERS = sizeof(setters) / sizeof(setters[0]) };

enum { TIME_LIMIT_S = 10 };

/*
 * The C library remembers a priority that pthread_setschedparam() has set, also for threads that
 * the thread creates. So main's priority is set in the kernel only.
 */
static int setup(void **state)
{
	assert_ok(sem_init(&go, 0, 0));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	UNUSED(state);
	alarm(TIME_LIMIT_S);
	pin(0, 0);
	set_by_instruction(&(struct change) { .policy = SCHED_FIFO, .priority = LOW });
	return 0;
}

#define outside_test(f) cmocka_unit_test_setup(f, setup)

/* ---- Before the first section -------------------------------------------- */

static void expect_base(int priority)
{
	assert_int_equal(base_priority(), priority);
	assert_int_equal(effective_priority(), priority);
}

static void lock_at(int priority)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), priority);
}

static void be_real_time_after_a_wait(void *unused)
{
	UNUSED(unused);
	assert_ok(sem_wait(&go));
	expect_base(20);
	lock_at(20);
	lock_at(20);
}

static void be_refused_after_a_wait(void *unused)
{
	UNUSED(unused);
	assert_ok(sem_wait(&go));
	assert_int_equal(pthread_mutex_lock(&mutex), EINVAL);
}

/* A member created without attributes, so that the C library does not know its scheduling. */
struct sleeper {
	struct member member;
	struct change first;
	int cpu;
	void (*body)(void *);
};

static void *begin(void *argument)
{
	struct sleeper *sleeper = argument;

	sleeper->first.tid = gettid();
	set_by_instruction(&sleeper->first);
	pin(0, sleeper->cpu);
	sleeper->member.tid = gettid();
	sleeper->body(NULL);
	return NULL;
}

static int granted_policy = SCHED_FIFO;

static struct change to_priority(int tid, int priority)
{
	int policy = priority > 0 ? granted_policy : SCHED_OTHER;

	return (struct change) { .tid = tid, .policy = policy, .priority = priority };
}

/* The thread sleeps, its scheduling changes, and it goes on. */
static void change_asleep(int from, int cpu, void (*body)(void *), void (*set)(void *), int to)
{
	struct sleeper sleeper = { .first = to_priority(0, from), .cpu = cpu, .body = body };
	struct change change;

	assert_ok(pthread_create(&sleeper.member.thread, NULL, begin, &sleeper));
	await_sleep(&sleeper.member);
	change = to_priority(sleeper.member.tid, to);
	set(&change);
	assert_ok(sem_post(&go));
	join(&sleeper.member);
}

static void raised_before_the_first_section(void **state)
{
	UNUSED(state);
	for (int i = 0; i < SETTERS; i++)
		for (int cpu = ANY_CPU; cpu <= 0; cpu++) {
			change_asleep(0, cpu, be_real_time_after_a_wait, setters[i], 20);
			change_asleep(5, cpu, be_real_time_after_a_wait, setters[i], 20);
			change_asleep(30, cpu, be_real_time_after_a_wait, setters[i], 20);
			change_asleep(60, cpu, be_real_time_after_a_wait, setters[i], 20);
		}
}

static void demoted_before_the_first_section(void **state)
{
	UNUSED(state);
	for (int i = 0; i < SETTERS; i++)
		change_asleep(20, 0, be_refused_after_a_wait, setters[i], 0);
}

/* ---- As rtkit does ------------------------------------------------------- */

static void *be_reset(void *unused)
{
	assert_int_equal(sched_getscheduler(0), SCHED_OTHER);
	return unused;
}

static void be_reset_in_child(void *unused)
{
	be_reset(unused);
}

/* A thread or process that it creates, also in a section, does not inherit the priority. */
static void be_granted(void *unused)
{
	pthread_t thread;

	assert_ok(sem_wait(&go));
	for (int i = 0; i < 2; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_create(&thread, NULL, be_reset, unused));
		assert_ok(pthread_join(thread, NULL));
		assert_int_equal(in_child(be_reset_in_child, NULL), 0);
		assert_ok(pthread_mutex_unlock(&mutex));
		expect_base(20);
		assert_int_equal(sched_getscheduler(0), SCHED_RR | SCHED_RESET_ON_FORK);
	}
}

static void granted_as_rtkit_does(void **state)
{
	UNUSED(state);
	for (int i = 0; i < SETTERS; i++)
		for (int cpu = ANY_CPU; cpu <= 0; cpu++) {
			granted_policy = SCHED_RR | SCHED_RESET_ON_FORK;
			change_asleep(0, cpu, be_granted, setters[i], 20);
			granted_policy = SCHED_FIFO;
		}
}

/* ---- After a refused lock ------------------------------------------------ */

static void lock_after_a_refusal(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EINVAL);
	assert_ok(sem_wait(&go));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_mutex_unlock(&mutex), 0);
	if (on_plafond())
		lock_at(20);
}

/* The section is as cheap as if the lock had never been refused. */
static void be_lazy_after_a_refusal(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EINVAL);
	assert_ok(sem_wait(&go));
	assert_ok(pthread_mutex_lock(&mutex));
	expect_perhaps_raised(40, 20);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void a_refused_thread_is_asked_again(void **state)
{
	UNUSED(state);
	for (int i = 0; i < SETTERS; i++) {
		change_asleep(0, 0, lock_after_a_refusal, setters[i], 20);
		change_asleep(0, ANY_CPU, lock_after_a_refusal, setters[i], 20);
		if (on_plafond()) { /* glibc keeps the priority that it refused */
			change_asleep(60, 0, lock_after_a_refusal, setters[i], 20);
			change_asleep(0, 0, be_lazy_after_a_refusal, setters[i], 20);
		}
	}
}

/* ---- Inside a section ---------------------------------------------------- */

static void find_it_held(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
}

static void be_changed_inside(void *unused)
{
	UNUSED(unused);
	lock_at(LOW);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_wait(&go));
	run_as(20, find_it_held, NULL);
	assert_ok(pthread_mutex_unlock(&mutex));
	for (int i = 0; i < 2; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		run_as(20, find_it_held, NULL);
		assert_ok(pthread_mutex_unlock(&mutex));
	}
}

/* The mutex still excludes, and no later lock is refused. */
static void changed_inside_a_section(void **state)
{
	UNUSED(state);
	for (int i = 0; i < SETTERS; i++)
		for (int to = 0; to <= 60; to += 20) {
			change_asleep(LOW, 0, be_changed_inside, setters[i], to);
			change_asleep(LOW, ANY_CPU, be_changed_inside, setters[i], to);
		}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		outside_test(raised_before_the_first_section),
		outside_test(demoted_before_the_first_section),
		outside_test(granted_as_rtkit_does),
		outside_test(a_refused_thread_is_asked_again),
		outside_test(changed_inside_a_section),
	};

	return cmocka_run_group_tests_name("outside", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
