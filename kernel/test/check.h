/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CHECK_H
#define PLF_TEST_CHECK_H

/*
 * The checks of test programs, and their reports: for tasks, hooks and interrupt handlers.
 *
 * The first check that fails is kept, and the image ends: report.c prints the check, and the exit
 * code is TEST_FAILED. If ShutdownOS() is not allowed there, the report comes when the image ends
 * by itself.
 */
#include "os.h"

enum { TEST_FAILED = 99, TEST_MOST_MARKS = 1000 };

/* Memory that all tasks and the kernel can write. */
struct test {
	uint32_t line; /* line of the check that failed; 0: none failed */
	const char *file;
	const char *golden; /* the expected trail; NULL: the check compared numbers */
	uint64_t found, expected;

	uint32_t marks; /* number of marks so far, a letter each */
	char trail[TEST_MOST_MARKS];

	uint32_t errors; /* calls of ErrorHook of errors.c; the next two members describe the last
			  * call */
	StatusType error;
	OSServiceIdType service;
	uint32_t raise; /* bit mask of sources that ErrorHook must raise instead */
};
extern struct test test;

/* Only the first failed check is kept, because others may follow from it. */
static inline void test_fail(const char *golden, const char *file, uint32_t line)
{
	if (test.line == 0) {
		test.line = line;
		test.file = file;
		test.golden = golden;
	}
	ShutdownAllCores(TEST_FAILED);
}

static inline void test_equal(uint64_t found, uint64_t expected, const char *file, uint32_t line)
{
	if (found == expected)
		return;
	if (test.line == 0) {
		test.found = found;
		test.expected = expected;
	}
	test_fail(NULL, file, line);
}

#define EXPECT(found, expected)                                                                    \
	test_equal((uint64_t)(found), (uint64_t)(expected), __FILE__, __LINE__)
#define CHECK(condition) EXPECT(!!(condition), true)

/* ---- The order of events ------------------------------------------------ */

static inline void mark(char letter)
{
	if (test.marks < TEST_MOST_MARKS)
		test.trail[test.marks++] = letter;
}

static inline void test_trail(const char *golden, const char *file, uint32_t line)
{
	uint32_t length = 0;

	while (golden[length] && length < test.marks && golden[length] == test.trail[length])
		length++;
	if (golden[length] || length != test.marks)
		test_fail(golden, file, line);
	test.marks = 0;
}

/* Compare all marks since the last comparison. */
#define EXPECT_TRAIL(golden) test_trail(golden, __FILE__, __LINE__)

/* ---- With ErrorHook of errors.c ----------------------------------------- */

static inline void test_refused(StatusType found, StatusType expected, OSServiceIdType service,
				const char *file, uint32_t line)
{
	test_equal(found, expected, file, line);
	test_equal(test.errors, 1, file, line);
	test_equal(test.error, expected, file, line);
	test_equal(test.service, service, file, line);
	test.errors = 0;
}

/* The service must return this status, and must have called ErrorHook with it once. */
#define REFUSED(call, status, service) test_refused(call, status, service, __FILE__, __LINE__)

static inline void test_allowed(StatusType found, const char *file, uint32_t line)
{
	test_equal(found, E_OK, file, line);
	test_equal(test.errors, 0, file, line);
}

#define ALLOWED(call) test_allowed(call, __FILE__, __LINE__)

/* Raise the interrupts of these sources, a bit mask, by way of ErrorHook. */
static inline void raise_interrupts(uint32_t sources)
{
	test.raise = sources;
	(void)ActivateTask(INVALID_TASK);
}

#endif
