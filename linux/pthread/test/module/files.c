/* SPDX-License-Identifier: MIT */
/* A program closes its files, and opens others in their place. */
#define _GNU_SOURCE
#include "module.h"
#include "part.h"
#include "tests.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static void close_all_files(void)
{
	assert_ok(close_range(3, ~0U, 0));
}

/* The device's requests mean nothing to any of these files. */
static void open_others(void)
{
	int ends[2];

	for (int i = 0; i < 4; i++) {
		assert_true(open("/dev/null", O_RDWR) >= 0);
		assert_true(open("/proc/self/exe", O_RDONLY) >= 0);
		assert_true(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
		assert_true(eventfd(0, 0) >= 0);
		assert_ok(pipe(ends));
	}
}

static void lose_files_inside(void (*raise)(void), bool others)
{
	assert_ok(pthread_mutex_lock(&mutex));
	raise();
	close_all_files();
	if (others)
		open_others();
	assert_ok(pthread_mutex_unlock(&mutex));
	expect_outside(LOW);
}

int part_files(const char *unused)
{
	UNUSED(unused);
	lock_raised(NULL);
	for (int others = 0; others < 2; others++) {
		close_all_files();
		if (others)
			open_others();
		lock_raised(NULL);
		close_all_files();
		if (others)
			open_others();
		run_as(LOW, lock_raised, NULL);
		for (int i = 0; i < RAISES; i++)
			lose_files_inside(raises[i], others);
	}
	return 0;
}

void files_are_closed(void **state)
{
	UNUSED(state);
	run_part("files", NULL);
	expect_statistics(stats_path, "module", 1 + 2 * (2 + RAISES), 0);
}

/* If there is no way back to the device, a raised thread is still lowered. */
int part_no_way_back(const char *unused)
{
	UNUSED(unused);
	lock_raised(NULL);
	assert_ok(pthread_mutex_lock(&inner));
	assert_ok(pthread_mutex_lock(&mutex));
	ask();
	close_all_files();
	assert_ok(chroot("/proc/self"));
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
	assert_ok(pthread_mutex_unlock(&inner));
	assert_int_equal(effective_priority(), LOW);
	lock_raised(NULL);
	run_as(LOW, lock_raised, NULL);
	return 0;
}

void the_device_is_gone(void **state)
{
	UNUSED(state);
	run_part("no-way-back", NULL);
}
