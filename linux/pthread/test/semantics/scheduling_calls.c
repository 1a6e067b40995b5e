/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The owner or another thread changes the base priority while a section is open, with each call.
 * The owner never runs below the ceiling, and runs at its new base afterwards.
 */
#include "team.h"

#include <semaphore.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static sem_t sem;

struct attr { /* the kernel's struct sched_attr */
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

static void set_param(pthread_t thread, int tid, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	UNUSED(tid);
	assert_ok(pthread_setschedparam(thread, SCHED_FIFO, &param));
}

static void set_prio(pthread_t thread, int tid, int priority)
{
	UNUSED(tid);
	assert_ok(pthread_setschedprio(thread, priority));
}

static void set_scheduler(pthread_t thread, int tid, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	UNUSED(thread);
	assert_ok(sched_setscheduler(tid, SCHED_FIFO, &param));
}

static void set_kernel_param(pthread_t thread, int tid, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	UNUSED(thread);
	assert_ok(sched_setparam(tid, &param));
}

static void set_attr(pthread_t thread, int tid, int priority)
{
	struct attr attr = { .size = sizeof(attr),
			     .policy = SCHED_FIFO,
			     .priority = (uint32_t)priority };

	UNUSED(thread);
	assert_ok((int)syscall(SYS_sched_setattr, tid, &attr, 0));
}

static void set_by_number(pthread_t thread, int tid, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	UNUSED(thread);
	assert_ok((int)syscall(SYS_sched_setscheduler, tid, SCHED_FIFO, &param));
}

static const struct call {
	void (*set)(pthread_t thread, int tid, int priority);
	bool of_kernel; /* glibc passes the call on, and does not note the change */
} calls[] = {
	{ set_param, false },	    { set_prio, false }, { set_scheduler, true },
	{ set_kernel_param, true }, { set_attr, true },	 { set_by_number, true },
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static int higher(int a, int b)
{
	return a > b ? a : b;
}

/* The expected state after a change to `priority`, in a section of ceiling 40 and after it. */
static void expect_inside(const struct call *call, int priority)
{
	if (call->of_kernel && !expected(KERNEL_CALLS_KEEP_CEILING)) {
		assert_int_equal(effective_priority(), priority);
		return;
	}
	assert_int_equal(effective_priority(), higher(priority, 40));
	assert_int_equal(base_priority(), priority);
}

static void expect_after(const struct call *call, int priority, int before)
{
	if (call->of_kernel && !expected(KERNEL_CALLS_KEEP_CEILING))
		priority = before;
	assert_int_equal(effective_priority(), priority);
	assert_int_equal(base_priority(), priority);
}

static void change_own(void *argument)
{
	const struct call *call = argument;

	for (int to = 5; to <= 60; to += 11) {
		assert_ok(pthread_setschedprio(pthread_self(), LOW));
		assert_ok(pthread_mutex_lock(&mutex));
		call->set(pthread_self(), gettid(), to);
		if (!call->of_kernel || expected(KERNEL_CALLS_KEEP_CEILING))
			assert_int_equal(kernel_priority(gettid()), higher(to, 40));
		expect_inside(call, to);
		assert_ok(pthread_mutex_unlock(&mutex));
		expect_after(call, to, LOW);
	}
}

static void of_oneself(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	for (int i = 0; i < CALLS; i++)
		run_as(LOW, change_own, (void *)&calls[i]);
}

static void asked_for_attributes(void **state)
{
	struct attr attr = { .size = sizeof(attr) };
	struct sched_param param;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok((int)syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0));
	assert_int_equal(attr.priority, 40);
	assert_ok((int)syscall(SYS_sched_getparam, 0, &param));
	assert_int_equal(param.sched_priority, 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_ok((int)syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0));
	assert_int_equal(attr.priority, LOW);
}

/* Some attributes are kept: by flags, or because their values were read just before. */
enum { RESET_ON_FORK = 0x01, KEEP_POLICY = 0x08, KEEP_PARAMS = 0x10 };

static void keep(int tid, uint64_t flags, int policy, int priority)
{
	struct attr attr = { .size = sizeof(attr),
			     .policy = (uint32_t)policy,
			     .flags = flags,
			     .priority = (uint32_t)priority };

	assert_ok((int)syscall(SYS_sched_setattr, tid, &attr, 0));
}

static void keep_all(int tid)
{
	keep(tid, KEEP_POLICY | KEEP_PARAMS | RESET_ON_FORK, 0, 0);
}

static void keep_as_asked(int tid)
{
	struct attr attr = { .size = sizeof(attr) };

	assert_ok((int)syscall(SYS_sched_getattr, tid, &attr, sizeof(attr), 0));
	assert_ok((int)syscall(SYS_sched_setattr, tid, &attr, 0));
}

/* The kernel keeps the policy, too. */
static void keep_priority(int tid)
{
	keep(tid, KEEP_PARAMS, SCHED_RR, 0);
}

static void keep_policy(int tid)
{
	keep(tid, KEEP_POLICY, 0, 30);
}

static const struct keeping {
	void (*call)(int tid);
	int policy, priority; /* of a thread of LOW, afterwards */
} keepings[] = {
	{ keep_all, SCHED_FIFO, LOW },
	{ keep_as_asked, SCHED_FIFO, LOW },
	{ keep_priority, SCHED_FIFO, LOW },
	{ keep_policy, SCHED_FIFO, 30 },
};

enum { KEEPINGS = sizeof(keepings) / sizeof(keepings[0]) };

static void expect_kept(const struct keeping *keeping)
{
	bool keeps_calls = expected(KERNEL_CALLS_KEEP_CEILING);

	assert_int_equal(effective_priority(), keeps_calls ? keeping->priority : LOW);
	assert_int_equal(sched_getscheduler(0), keeps_calls ? keeping->policy : SCHED_FIFO);
}

static void keep_own(void *keeping)
{
	const struct keeping *k = keeping;

	assert_ok(pthread_mutex_lock(&mutex));
	k->call(0);
	if (expected(KERNEL_CALLS_KEEP_CEILING))
		assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	expect_kept(k);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	expect_kept(k);
}

struct kept_by_other {
	const struct keeping *keeping;
	int tid;
};

static void keep_other(void *argument)
{
	const struct kept_by_other *kept = argument;

	assert_ok(sem_wait(&sem));
	kept->keeping->call(kept->tid);
}

static void be_kept(void *keeping)
{
	struct kept_by_other kept = { keeping, gettid() };
	struct member high;

	start(&high, 70, keep_other, &kept);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_post(&sem));
	assert_ok(pthread_mutex_unlock(&mutex));
	expect_kept(keeping);
	join(&high);
}

static void some_attributes_are_kept(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	for (int i = 0; i < KEEPINGS; i++) {
		run_as(LOW, keep_own, (void *)(uintptr_t)&keepings[i]);
		if (keepings[i].call != keep_as_asked) /* its query returns the ceiling, too */
			run_as(LOW, be_kept, (void *)(uintptr_t)&keepings[i]);
	}
}

/* Two changes in a section, and another after it: the last change counts. */
static void the_last_change_counts(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_setschedprio(pthread_self(), 60));
	assert_int_equal(effective_priority(), 60);
	assert_ok(pthread_setschedprio(pthread_self(), 30));
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(base_priority(), 30);
	assert_ok(pthread_setschedprio(pthread_self(), LOW));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Another, more urgent thread changes the owner's priority while the owner is preempted inside. */
struct change {
	const struct call *call;
	pthread_t thread;
	int tid;
	int to;
};

static void change_other(void *argument)
{
	const struct change *change = argument;

	assert_ok(sem_wait(&sem));
	change->call->set(change->thread, change->tid, change->to);
	note('!');
}

static void be_changed(void *argument)
{
	const struct call *call = argument;
	struct change change = { .call = call, .thread = pthread_self(), .tid = gettid() };
	struct member high;

	for (change.to = 5; change.to <= 60; change.to += 11) {
		forget_notes();
		assert_ok(pthread_setschedprio(pthread_self(), LOW));
		start(&high, 70, change_other, &change);
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(sem_post(&sem));
		assert_string_equal(notes(), "!");
		expect_inside(call, change.to);
		assert_ok(pthread_mutex_unlock(&mutex));
		expect_after(call, change.to, LOW);
		join(&high);
	}
}

static void of_another_thread(void **state)
{
	UNUSED(state);
	assert_ok(sem_init(&sem, 0, 0));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	for (int i = 0; i < CALLS; i++)
		run_as(LOW, be_changed, (void *)&calls[i]);
}

/* No thread queries the priority: the arriving threads show it. */
static void say(void *letter)
{
	assert_ok(sem_wait(&sem));
	note(*(char *)letter);
}

static void felt_by_arrivals(void **state)
{
	struct member covered, above;

	UNUSED(state);
	assert_ok(sem_init(&sem, 0, 0));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	for (int to = 5; to <= 60; to += 11) {
		bool above_base = to < 41;

		forget_notes();
		assert_ok(pthread_setschedprio(pthread_self(), LOW));
		start(&above, 41, say, "a");
		start(&covered, 40, say, "c");
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_setschedprio(pthread_self(), to));
		assert_ok(sem_post(&sem));
		assert_ok(sem_post(&sem));
		note(')');
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_setschedprio(pthread_self(), LOW));
		assert_string_equal(notes(), above_base ? "a)c" : ")ac");
		join(&covered);
		join(&above);
	}
}

/* A lower base takes effect at the unlock: a thread above it runs then. */
static void a_lowered_base_counts_from_the_unlock_on(void **state)
{
	struct member middle;

	UNUSED(state);
	assert_ok(sem_init(&sem, 0, 0));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	start(&middle, 7, say, "m");
	await_sleep(&middle);
	assert_ok(sem_post(&sem));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_setschedprio(pthread_self(), 5));
	note('(');
	assert_ok(pthread_mutex_unlock(&mutex));
	note(')');
	assert_string_equal(notes(), "(m)");
	join(&middle);
}

/* FIFO and RR change inside. A priority that the policy does not have changes nothing. */
static void of_the_policy(void **state)
{
	struct sched_param param = { .sched_priority = 15 };
	int policy;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_setschedparam(pthread_self(), SCHED_RR, &param));
	assert_int_equal(sched_getscheduler(0), SCHED_RR);
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(pthread_setschedprio(pthread_self(), 100), EINVAL);
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(base_priority(), 15);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(sched_getscheduler(0), SCHED_RR);
	assert_int_equal(effective_priority(), 15);
	assert_ok(pthread_getschedparam(pthread_self(), &policy, &param));
	assert_int_equal(policy, SCHED_RR);
	assert_int_equal(param.sched_priority, 15);
}

/* Under a policy without priorities the section keeps its ceiling. By members, which end. */
static void leave_real_time(void *unused)
{
	struct sched_param none = { .sched_priority = 0 };
	int result;

	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	result = pthread_setschedparam(pthread_self(), SCHED_OTHER, &none);
	assert_int_equal(result, expected(SCHED_OTHER_INSIDE));
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(base_priority(), result == 0 ? 0 : LOW);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(sched_getscheduler(0), result == 0 ? SCHED_OTHER : SCHED_FIFO);
	assert_int_equal(effective_priority(), result == 0 ? 0 : LOW);
}

static void set_priority_0(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_setschedprio(pthread_self(), 0), expected(PRIORITY_0_INSIDE));
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(pthread_mutex_unlock(&mutex), expected(UNLOCK_AFTER_PRIORITY_0));
}

static void to_no_priority(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	run_as(LOW, leave_real_time, NULL);
	run_as(LOW, set_priority_0, NULL);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(of_oneself),
		team_test(asked_for_attributes),
		team_test(some_attributes_are_kept),
		team_test(the_last_change_counts),
		team_test(of_another_thread),
		team_test(felt_by_arrivals),
		team_test(a_lowered_base_counts_from_the_unlock_on),
		team_test(of_the_policy),
		team_test(to_no_priority),
	};

	return cmocka_run_group_tests_name("scheduling calls", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
