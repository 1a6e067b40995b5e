/* SPDX-License-Identifier: MIT */
#ifndef IMMPC_TEST_DEVICE_H
#define IMMPC_TEST_DEVICE_H

/* The driver as its users call it. Each test opens a file of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <immpc_driver.h>

enum { EVENTS_MAX = 3 * IMMPC_STEPS_MAX, GAPS = 16 };

/* Setup and teardown of a test. */
int open_device(void **state);
int close_device(void **state);

/* Each returns a number, or -1 and errno. */
int make_resource(unsigned kind, unsigned ceiling);
int make_section(const struct immpc_step *steps, unsigned count);
int make_section_as(struct immpc_section *asked);
int run_section(int number, struct immpc_run *run, struct immpc_event *events);
int call(unsigned long request, const void *argument);

/* A section with chunks of 1000 iterations, which are declared to take 1 us. */
struct immpc_section section_of(const struct immpc_step *steps, unsigned count);

#define STEPS(...)   ((const struct immpc_step[]) { __VA_ARGS__ })
#define COUNT(...)   (unsigned)(sizeof(STEPS(__VA_ARGS__)) / sizeof(struct immpc_step))
#define SECTION(...) make_section(STEPS(__VA_ARGS__), COUNT(__VA_ARGS__))
#define LOCK(number)                                                                               \
	{                                                                                          \
		IMMPC_STEP_LOCK, (unsigned)(number), 0                                             \
	}
#define UNLOCK(number)                                                                             \
	{                                                                                          \
		IMMPC_STEP_UNLOCK, (unsigned)(number), 0                                           \
	}
#define WORK(nanosecond)                                                                           \
	{                                                                                          \
		IMMPC_STEP_WORK, 0, (nanosecond)                                                   \
	}

#define MILLISECOND UINT64_C(1000000)

#define expect_errno(error, call)                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		assert_int_equal((call), -1);                                                      \
		assert_int_equal(errno, error);                                                    \
	} while (0)

/* SCHED_FIFO, or SCHED_OTHER for 0. */
void schedule(int priority);

#endif
