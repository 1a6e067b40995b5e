/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* Threads that break the rules: the kernel stays up, and no thread gets more than its due. */
#include "words.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX = 40, ROUNDS = 3000, PACKETS = 20000, NAP_US = 100 };

static void give_up_privilege(int rtprio)
{
	struct rlimit limit = { .rlim_cur = (rlim_t)rtprio, .rlim_max = (rlim_t)rtprio };

	REQUIRE(setrlimit(RLIMIT_RTPRIO, &limit) == 0);
	REQUIRE(setresgid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED) == 0);
	REQUIRE(setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED) == 0);
}

/* The thread is raised as high as it may be, for every claim. */
static void expect_limit(int rtprio, int expected)
{
	struct plf_lazy *words = new_words();

	schedule(0);
	give_up_privilege(rtprio);
	REQUIRE(enroll(words, 0, 99) == 0);
	claim(words, 0, 90);
	lose_cpu();
	REQUIRE(priority_of(0) == expected);
	withdraw(words);
	REQUIRE(priority_of(0) == 0);
}

static void without_any_limit(void)
{
	expect_limit(0, 0);
}

static void with_a_low_limit(void)
{
	expect_limit(15, 15);
}

/* The earlier, higher limit does not count any more. */
static void with_a_limit_that_falls(void)
{
	struct rlimit limit = { .rlim_cur = 5, .rlim_max = 5 };
	struct plf_lazy *words = new_words();

	schedule(0);
	give_up_privilege(50);
	REQUIRE(enroll(words, 0, 99) == 0);
	REQUIRE(setrlimit(RLIMIT_RTPRIO, &limit) == 0);
	claim(words, 0, 90);
	lose_cpu();
	REQUIRE(priority_of(0) == 5);
}

/* The thread has given up the privilege that it had at first. */
static void with_privilege_that_goes(void)
{
	struct plf_lazy *words = new_words();

	schedule(0);
	REQUIRE(enroll(words, 0, 99) == 0);
	claim(words, 0, 90);
	lose_cpu();
	REQUIRE(priority_of(0) == 90);
	withdraw(words);
	give_up_privilege(0);
	claim(words, 0, 90);
	lose_cpu();
	REQUIRE(priority_of(0) == 0);
}

static void a_limit_is_a_limit(void **state)
{
	(void)state;
	assert_int_equal(in_child(without_any_limit), 0);
	assert_int_equal(in_child(with_a_low_limit), 0);
	assert_int_equal(in_child(with_a_limit_that_falls), 0);
	assert_int_equal(in_child(with_privilege_that_goes), 0);
}

static volatile bool over;

/* Write any value at any moment, at ordinary priority, on another CPU if there is one. */
static void *write_garbage(void *argument)
{
	uint64_t *garbage = argument;
	uint64_t dice = 88172645463325252u;
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	schedule(0);
	while (!over) {
		dice ^= dice << 13;
		dice ^= dice >> 7;
		dice ^= dice << 17;
		__atomic_store_n(&garbage[dice % 32],
				 dice >> 40 & 1 ? PLF_LAZY_INSIDE + (dice & 0x7f)
						: dice >> (dice >> 58),
				 __ATOMIC_RELAXED);
	}
	return NULL;
}

static void garbage_in_the_page_gives_no_more_than_the_limit(void **state)
{
	struct plf_lazy *words = new_words();
	pthread_t thread;
	int highest = 0;

	(void)state;
	over = false;
	assert_int_equal(enroll(words, LOW, MAX), 0);
	assert_int_equal(pthread_create(&thread, NULL, write_garbage, words), 0);
	for (int i = 0; i < ROUNDS; i++) {
		int now;

		usleep(NAP_US);
		if (i % 3 == 0)
			assert_int_equal(ioctl(device, PLF_IOC_LOWER), 0);
		now = priority_of(0);
		assert_in_range(now, LOW, MAX);
		if (now > highest)
			highest = now;
	}
	over = true;
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(highest > LOW); /* otherwise nothing was tested */
	unenroll();
	assert_int_equal(priority_of(0), LOW);
	munmap(words, 4096);
}

static void set_up_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int control = socket(AF_INET, SOCK_DGRAM, 0);

	assert_true(control >= 0);
	assert_int_equal(ioctl(control, SIOCSIFFLAGS, &request), 0);
	close(control);
}

static void *come_again_and_again(void *argument)
{
	(void)argument;
	schedule(CEILING);
	for (unsigned turn = 0; !over; turn++)
		usleep(NAP_US / 2 + turn * 7 % NAP_US); /* in step with no other thread */
	return NULL;
}

/*
 * Much of the network's code runs with softirqs disabled, and can be preempted there on PREEMPT_RT.
 * The kernel takes such a task for an interrupt, in which it changes no priority.
 */
static void preempted_with_softirqs_disabled(void **state)
{
	struct sockaddr_in here = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(here);
	struct plf_lazy *words = new_words();
	pthread_t thread;
	int own, raised = 0;
	char byte = 0;

	(void)state;
	set_up_loopback();
	own = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(bind(own, (struct sockaddr *)&here, sizeof(here)), 0);
	assert_int_equal(getsockname(own, (struct sockaddr *)&here, &length), 0);
	over = false;
	assert_int_equal(pthread_create(&thread, NULL, come_again_and_again, NULL), 0);
	lose_cpu(); /* the thread gets to its priority */
	assert_int_equal(enroll(words, LOW, MAX), 0);
	for (int i = 0; i < PACKETS; i++) {
		claim(words, LOW, CEILING);
		assert_int_equal(sendto(own, &byte, 1, 0, (struct sockaddr *)&here, length), 1);
		assert_int_equal(recv(own, &byte, 1, 0), 1);
		raised += words->raised != 0;
		withdraw(words);
	}
	over = true;
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(raised > 0); /* otherwise nothing was tested */
	unenroll();
	assert_int_equal(priority_of(0), LOW);
	close(own);
	munmap(words, 4096);
}

static void the_page_may_go(void **state)
{
	struct plf_lazy *words = new_words();

	(void)state;
	assert_int_equal(enroll(words, LOW, MAX), 0);
	claim(words, LOW, CEILING);
	assert_int_equal(munmap(words, 4096), 0);
	lose_cpu();
	assert_int_equal(priority_of(0), CEILING);
	unenroll();
	assert_int_equal(priority_of(0), LOW);
}

static void killed_inside(void)
{
	struct plf_lazy *words = new_words();

	REQUIRE(enroll(words, LOW, MAX) == 0);
	claim(words, LOW, CEILING);
	lose_cpu();
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

static void forked_inside(void)
{
	REQUIRE(ioctl(device, PLF_IOC_LOWER) == -1 && errno == ESRCH);
}

static void killed_many(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++)
		assert_int_equal(in_child(killed_inside), 128 + SIGKILL);
}

static void a_child_is_not_registered(void **state)
{
	struct plf_lazy *words = new_words();

	(void)state;
	assert_int_equal(enroll(words, LOW, MAX), 0);
	assert_int_equal(in_child(forked_inside), 0);
	claim(words, LOW, CEILING); /* the page is still ours after the fork */
	lose_cpu();
	assert_int_equal(priority_of(0), CEILING);
	withdraw(words);
	unenroll();
	munmap(words, 4096);
}

static void executing_inside(void)
{
	struct plf_lazy *words = new_words();

	REQUIRE(enroll(words, LOW, MAX) == 0);
	claim(words, LOW, CEILING);
	lose_cpu();
	REQUIRE(priority_of(0) == CEILING);
	execl("/proc/self/exe", "hostile", "--after-exec", NULL);
	REQUIRE(false);
}

static void another_program_begins_at_the_base(void **state)
{
	(void)state;
	assert_int_equal(in_child(executing_inside), 0);
}

static int after_exec(void)
{
	begin();
	lose_cpu();
	return priority_of(0) == LOW && ioctl(device, PLF_IOC_LOWER) == -1 && errno == ESRCH ? 0
											     : 1;
}

/* A registered thread ends inside its section. Then another thread starts. */
static void *end_registered(void *argument)
{
	struct plf_lazy *words = new_words();

	(void)argument;
	schedule(LOW);
	if (enroll(words, LOW, MAX) == 0)
		claim(words, LOW, CEILING);
	lose_cpu();
	return NULL;
}

static void threads_come_and_go(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, end_registered, NULL), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
}

/*
 * The module stays even if the device is closed, because its hook is needed until the thread ends.
 */
static void the_module_stays_while_a_thread_is_registered(void **state)
{
	struct plf_lazy *words = new_words();

	(void)state;
	assert_int_equal(enroll(words, LOW, MAX), 0);
	assert_int_equal(close(device), 0);
	assert_int_equal(syscall(SYS_delete_module, "plafond", O_NONBLOCK), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	device = open(PLF_DEVICE, O_RDWR | O_CLOEXEC);
	assert_true(device >= 0);
	unenroll();
	munmap(words, 4096);
}

/* Each CPU counts for itself, until it is asked to report. */
static void refresh_counts(void)
{
	FILE *file = fopen("/proc/sys/vm/stat_refresh", "we");

	assert_non_null(file);
	assert_true(fputs("1", file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/*
 * A counter of /proc/vmstat. After all tests above, the pages of all ended threads must be
 * released.
 */
static long pins(const char *which)
{
	FILE *file = fopen("/proc/vmstat", "re");
	char name[64];
	long value, found = -1;

	assert_non_null(file);
	while (fscanf(file, "%63s %ld", name, &value) == 2)
		if (strcmp(name, which) == 0)
			found = value;
	fclose(file);
	assert_true(found >= 0);
	return found;
}

static void no_page_is_left_pinned(void **state)
{
	(void)state;
	refresh_counts();
	for (int i = 0; i < 100 && pins("nr_foll_pin_acquired") != pins("nr_foll_pin_released");
	     i++) {
		usleep(10000);
		refresh_counts();
	}
	assert_true(pins("nr_foll_pin_acquired") > 100);
	assert_int_equal(pins("nr_foll_pin_acquired"), pins("nr_foll_pin_released"));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_is_a_limit),
		cmocka_unit_test(garbage_in_the_page_gives_no_more_than_the_limit),
		cmocka_unit_test(preempted_with_softirqs_disabled),
		cmocka_unit_test(the_page_may_go),
		cmocka_unit_test(killed_many),
		cmocka_unit_test(a_child_is_not_registered),
		cmocka_unit_test(another_program_begins_at_the_base),
		cmocka_unit_test(threads_come_and_go),
		cmocka_unit_test(the_module_stays_while_a_thread_is_registered),
		cmocka_unit_test(no_page_is_left_pinned),
	};

	if (argc > 1 && strcmp(argv[1], "--after-exec") == 0)
		return after_exec();
	begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
