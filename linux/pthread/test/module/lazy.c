/* SPDX-License-Identifier: MIT */
/* Every real-time thread is lazy, pinned or not, with every kind of lock. */
#define _GNU_SOURCE
#include "../../../real_time/test/patience.h"
#include "module.h"
#include "part.h"
#include "tests.h"

#include <plafond_device.h>

#include <stdio.h>
#include <unistd.h>

static bool has_device_open(void)
{
	char path[32], target[64];
	ssize_t size;

	for (int fd = 0; fd < 1024; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		size = readlink(path, target, sizeof(target));
		if (size == sizeof(PLF_DEVICE) - 1 &&
		    strncmp(target, PLF_DEVICE, (size_t)size) == 0)
			return true;
	}
	return false;
}

/* Each kind of lock, within a section and alone. `detail`: policy and CPUs, a letter each. */
int part_lock(const char *detail)
{
	struct sched_param param = { .sched_priority = LOW };
	struct timespec end = in_ms(CLOCK_MONOTONIC, PLF_HUNG_S * 1000);

	assert_ok(sched_setscheduler(0, detail[0] == 'r' ? SCHED_RR : SCHED_FIFO, &param));
	pin(0, detail[1] == 'u' ? ANY_CPU : 0);
	for (int i = 0; i < LOCKS; i++) {
		assert_ok(pthread_mutex_lock(&mutex));
		assert_ok(pthread_mutex_trylock(&inner));
		assert_ok(pthread_mutex_unlock(&inner));
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_mutex_clocklock(&middle, CLOCK_MONOTONIC, &end));
		assert_ok(pthread_mutex_unlock(&middle));
	}
	expect_outside(LOW);
	return has_device_open() ? 1 : 0;
}

void every_real_time_thread_is_lazy(void **state)
{
	static const char *const threads[] = { "fp", "fu", "rp", "ru" };

	UNUSED(state);
	for (size_t i = 0; i < 4; i++) {
		for (int found = 0; found < 2; found++) {
			const char *backend = found ? NULL : "module";

			assert_int_equal(
				status_of_part("lock", threads[i], "PLAFOND_BACKEND", backend), 1);
			expect_statistics(stats_path, "module", 3 * LOCKS, 0);
		}
	}
}

void frames_where_they_are_wanted(void **state)
{
	UNUSED(state);
	assert_int_equal(status_of_part("lock", "fp", "PLAFOND_BACKEND", "user"), 0);
	expect_statistics(stats_path, "user", 3 * LOCKS, 0);
	if (sysconf(_SC_NPROCESSORS_CONF) == 1)
		return; /* then each thread is pinned */
	assert_int_equal(status_of_part("lock", "fu", "PLAFOND_BACKEND", "user"), 0);
	expect_statistics(stats_path, "user", 0, 3 * LOCKS);
}

void eager_without_the_device(void **state)
{
	UNUSED(state);
	assert_int_equal(status_of_part("lock", "fp", "PLAFOND_MODE", "eager"), 0);
	expect_statistics(stats_path, "user", 0, 3 * LOCKS);
}
