/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* The device's promises to a thread that keeps the rules, and its errors. */
#include "words.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct plf_lazy *words;

#define TURNS_NS UINT64_C(300000000) /* three of the kernel's turns */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The kernel's struct sched_attr, which the C library does not declare. */
struct attributes {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

static struct attributes attributes(void)
{
	struct attributes now = { .size = sizeof(now) };

	assert_int_equal(syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0), 0);
	return now;
}

static int set_attributes(struct attributes *wanted)
{
	wanted->size = sizeof(*wanted);
	return (int)syscall(SYS_sched_setattr, 0, wanted, 0);
}

static int set_up(void **state)
{
	(void)state;
	schedule(LOW);
	words = new_words();
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	ioctl(device, PLF_IOC_UNREGISTER);
	schedule(LOW);
	return munmap(words, 4096);
}

static void errors_are_returned(void **state)
{
	struct plf_registration good = { .words = (uintptr_t)words,
					 .max_priority = 50,
					 .version = PLF_WORDS_VERSION };
	struct plf_registration bad;
	struct attributes deadline = { .policy = SCHED_DEADLINE,
				       .runtime_ns = 1000000,
				       .deadline_ns = 100000000,
				       .period_ns = 100000000 };

	(void)state;
#define expect_error(expected, call)                                                               \
	do {                                                                                       \
		assert_int_equal(call, -1);                                                        \
		assert_int_equal(errno, expected);                                                 \
	} while (0)
#define expect_refused(expected, ...)                                                              \
	do {                                                                                       \
		bad = good;                                                                        \
		__VA_ARGS__;                                                                       \
		expect_error(expected, ioctl(device, PLF_IOC_REGISTER, &bad));                     \
	} while (0)
	expect_error(ESRCH, ioctl(device, PLF_IOC_UNREGISTER));
	expect_error(ESRCH, ioctl(device, PLF_IOC_LOWER));
	expect_error(ENOTTY, ioctl(device, _IO('p', 0x7f)));
	expect_error(EFAULT, ioctl(device, PLF_IOC_REGISTER, NULL));
	expect_refused(EINVAL, bad.words++);
	expect_refused(EINVAL, bad.words += 32);
	expect_refused(EINVAL, bad.max_priority = 0);
	expect_refused(EINVAL, bad.max_priority = 100);
	expect_refused(EINVAL, bad.max_priority = UINT32_MAX);
	expect_refused(EPROTO, bad.version++);
	expect_refused(EFAULT, bad.words = 0);
	expect_refused(EFAULT, bad.words = UINT64_MAX << 8);
	expect_refused(EFAULT, bad.words = UINT64_C(1) << 63);
	assert_int_equal(mprotect(words, 4096, PROT_READ), 0);
	expect_refused(EFAULT, (void)0);
	assert_int_equal(mprotect(words, 4096, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(ioctl(device, PLF_IOC_REGISTER, &good), 0);
	expect_refused(EEXIST, (void)0);
	unenroll();
	if (set_attributes(&deadline) == 0) { /* not possible on one CPU of several */
		expect_refused(EOPNOTSUPP, (void)0);
		schedule(LOW);
	}
}

static void no_thread_up_to_the_ceiling_overtakes(void **state)
{
	static const int ceilings[] = { CEILING, LOW + 1, LOW, 98 };
	struct comer comer;

	(void)state;
	for (size_t i = 0; i < sizeof(ceilings) / sizeof(ceilings[0]); i++) {
		int ceiling = ceilings[i];

		for (int priority = ceiling; priority <= ceiling + 1; priority++) {
			expect_comer(&comer, priority);
			assert_int_equal(enroll(words, LOW, 99), 0);
			claim(words, LOW, ceiling);
			assert_int_equal(is_overtaken_by(&comer), priority > ceiling);
			assert_int_equal(priority_of(0), ceiling);
			withdraw(words);
			assert_int_equal(priority_of(0), LOW);
			unenroll();
			join_comer(&comer);
		}
	}
}

static void nothing_changes_while_no_thread_comes(void **state)
{
	(void)state;
	assert_int_equal(enroll(words, LOW, 99), 0);
	claim(words, LOW, CEILING);
	for (int i = 0; i < 1000; i++)
		getppid();
	assert_int_equal(priority_of(0), LOW);
	assert_int_equal(words->raised, 0);
	withdraw(words);
}

static void the_highest_claim_counts_and_is_left_step_by_step(void **state)
{
	struct comer first, second;

	(void)state;
	expect_comer(&first, BETWEEN);
	expect_comer(&second, CEILING);
	assert_int_equal(enroll(words, LOW, 99), 0);
	claim(words, LOW, BETWEEN);
	assert_false(is_overtaken_by(&first));
	assert_int_equal(priority_of(0), BETWEEN);
	claim(words, LOW, CEILING);
	assert_false(is_overtaken_by(&second));
	assert_int_equal(priority_of(0), CEILING);
	claim(words, LOW, BETWEEN);
	assert_int_equal(ioctl(device, PLF_IOC_LOWER), 0);
	assert_true(second.has_run);
	assert_false(first.has_run);
	assert_int_equal(priority_of(0), BETWEEN);
	withdraw(words);
	assert_true(first.has_run);
	assert_int_equal(words->raised, 0);
	join_comer(&first);
	join_comer(&second);
}

static void a_sleeper_inside_is_raised_before(void **state)
{
	(void)state;
	assert_int_equal(enroll(words, LOW, 99), 0);
	claim(words, LOW, CEILING);
	lose_cpu();
	assert_int_equal(priority_of(0), CEILING);
	withdraw(words);
	assert_int_equal(priority_of(0), LOW);
}

static void the_limit_is_kept(void **state)
{
	(void)state;
	assert_int_equal(enroll(words, LOW, BETWEEN), 0);
	claim(words, LOW, CEILING);
	lose_cpu();
	assert_int_equal(priority_of(0), BETWEEN);
	withdraw(words);
	assert_int_equal(priority_of(0), LOW);
}

static void expect_kept(struct attributes *wanted)
{
	struct attributes before, after;

	schedule(0);
	assert_int_equal(set_attributes(wanted), 0);
	before = attributes();
	assert_int_equal(enroll(words, (int)wanted->priority, 99), 0);
	claim(words, (int)wanted->priority, CEILING);
	lose_cpu();
	after = attributes();
	assert_int_equal(after.policy, SCHED_FIFO);
	assert_int_equal(after.priority, CEILING);
	withdraw(words);
	after = attributes();
	assert_memory_equal(&before, &after, sizeof(before));
	unenroll();
}

static void all_that_was_set_comes_back(void **state)
{
	enum { RESET_ON_FORK = 1, SLACK_NS = 12345 };

	(void)state;
	schedule(0); /* other policies have no slack */
	assert_int_equal(prctl(PR_SET_TIMERSLACK, SLACK_NS), 0);
	expect_kept(&(struct attributes) { .policy = SCHED_OTHER, .nice = 5 });
	expect_kept(
		&(struct attributes) { .policy = SCHED_OTHER, .nice = -7, .runtime_ns = 1500000 });
	expect_kept(&(struct attributes) { .policy = SCHED_BATCH, .nice = 1 });
	expect_kept(
		&(struct attributes) { .policy = SCHED_OTHER, .nice = 3, .flags = RESET_ON_FORK });
	assert_int_equal(prctl(PR_GET_TIMERSLACK), SLACK_NS);
	expect_kept(&(struct attributes) { .policy = SCHED_RR, .priority = LOW });
	expect_kept(&(struct attributes) { .policy = SCHED_RR, .priority = CEILING });
	expect_kept(&(struct attributes) {
		.policy = SCHED_FIFO, .priority = LOW, .flags = RESET_ON_FORK });
}

/* Under round robin, equals would take turns, also at the ceiling. */
static void no_turns_are_taken_inside(void **state)
{
	struct sched_param low = { .sched_priority = LOW };
	struct comer comer;

	(void)state;
	expect_comer(&comer, LOW);
	assert_int_equal(sched_setscheduler(0, SCHED_RR, &low), 0);
	assert_int_equal(enroll(words, LOW, 99), 0);
	claim(words, LOW, LOW);
	assert_false(is_overtaken_by(&comer));
	for (uint64_t end_ns = now_ns() + TURNS_NS; now_ns() < end_ns;)
		assert_false(comer.has_run);
	withdraw(words);
	schedule(LOW);
	unenroll();
	join_comer(&comer);
}

static void a_change_from_outside_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(enroll(words, LOW, 99), 0);
	claim(words, LOW, CEILING);
	lose_cpu();
	schedule(BETWEEN);
	withdraw(words);
	assert_int_equal(priority_of(0), BETWEEN);
}

static void unregistering_inside_restores(void **state)
{
	(void)state;
	assert_int_equal(enroll(words, LOW, 99), 0);
	claim(words, LOW, CEILING);
	lose_cpu();
	unenroll();
	assert_int_equal(priority_of(0), LOW);
}

int main(void)
{
#define rule(f) cmocka_unit_test_setup_teardown(f, set_up, clean_up)
	const struct CMUnitTest tests[] = {
		rule(errors_are_returned),
		rule(no_thread_up_to_the_ceiling_overtakes),
		rule(nothing_changes_while_no_thread_comes),
		rule(the_highest_claim_counts_and_is_left_step_by_step),
		rule(a_sleeper_inside_is_raised_before),
		rule(the_limit_is_kept),
		rule(all_that_was_set_comes_back),
		rule(no_turns_are_taken_inside),
		rule(a_change_from_outside_is_left_alone),
		rule(unregistering_inside_restores),
	};

	begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
