/* SPDX-License-Identifier: MIT */
/* Input that the driver refuses, before anything is locked. */
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

enum { WILD_CALLS = 20000 };

static void resources(void **state)
{
	(void)state;
	expect_errno(EINVAL, make_resource(IMMPC_KIND_EMPTY, 10));
	expect_errno(EINVAL, make_resource(UINT32_MAX, 10));
	expect_errno(EINVAL, make_resource(IMMPC_KIND_POSTPONED, 0));
	expect_errno(EINVAL, make_resource(IMMPC_KIND_EAGER, 99));
	expect_errno(EINVAL, make_resource(IMMPC_KIND_RT_MUTEX, UINT32_MAX));
	for (int i = 0; i < IMMPC_RESOURCES_MAX; i++)
		assert_int_equal(make_resource(IMMPC_KIND_POSTPONED, 98), i);
	expect_errno(ENOSPC, make_resource(IMMPC_KIND_POSTPONED, 98));
}

static void unbalanced_sections(void **state)
{
	int a = make_resource(IMMPC_KIND_POSTPONED, 98), b = make_resource(IMMPC_KIND_RT_MUTEX, 1);

	(void)state;
	expect_errno(EINVAL, SECTION(LOCK(a)));
	expect_errno(EINVAL, SECTION(UNLOCK(a)));
	expect_errno(EINVAL, SECTION(LOCK(a), LOCK(a), UNLOCK(a), UNLOCK(a)));
	expect_errno(EINVAL, SECTION(LOCK(a), LOCK(b), UNLOCK(a), UNLOCK(b)));
	expect_errno(EINVAL, SECTION(LOCK(a), UNLOCK(b)));
	expect_errno(EINVAL, SECTION(LOCK(b + 1), UNLOCK(b + 1)));
	expect_errno(EINVAL, SECTION(LOCK(-1), UNLOCK(-1)));
	expect_errno(EINVAL, SECTION({ 3, 0, 0 }));
	expect_errno(EINVAL, SECTION({ UINT32_MAX, 0, 0 }));
	expect_errno(EINVAL, SECTION({ IMMPC_STEP_LOCK, 0, 1 }));
	expect_errno(EINVAL, SECTION({ IMMPC_STEP_WORK, 1, 1 }));
}

static void deep_sections(void **state)
{
	struct immpc_step steps[2 * (IMMPC_DEPTH_MAX + 1)];
	unsigned last = 2 * IMMPC_DEPTH_MAX + 1;

	(void)state;
	for (unsigned i = 0; i <= IMMPC_DEPTH_MAX; i++) {
		int number = make_resource(IMMPC_KIND_POSTPONED, 98);

		steps[i] = (struct immpc_step)LOCK(number);
		steps[last - i] = (struct immpc_step)UNLOCK(number);
	}
	expect_errno(EINVAL, make_section(steps, last + 1));
	assert_int_equal(make_section(steps + 1, last - 1), 0);
}

static void numbers_of_sections(void **state)
{
	const struct immpc_step steps[] = { WORK(1000) };
	static const struct {
		unsigned count, gaps;
		uint64_t iterations, chunk_ps, gap_ns;
	} wrong[] = {
		{ 0, 0, 1, 1000, 0 },
		{ IMMPC_STEPS_MAX + 1, 0, 1, 1000, 0 },
		{ UINT32_MAX, 0, 1, 1000, 0 },
		{ 1, IMMPC_GAPS_MAX + 1, 1, 1000, 0 },
		{ 1, UINT32_MAX, 1, 1000, 0 },
		{ 1, 0, 0, 1000, 0 },
		{ 1, 0, IMMPC_CHUNK_ITERATIONS_MAX + 1, 1000, 0 },
		{ 1, 0, 1, IMMPC_CHUNK_MIN_PS - 1, 0 },
		{ 1, 0, 1, IMMPC_CHUNK_MAX_PS + 1, 0 },
		{ 1, 0, 1, UINT64_MAX, 0 },
		{ 1, 0, 1, 1000, UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct immpc_section asked = section_of(steps, wrong[i].count);

		asked.gap_room = wrong[i].gaps;
		asked.chunk_iterations = wrong[i].iterations;
		asked.chunk_ps = wrong[i].chunk_ps;
		asked.gap_ns = wrong[i].gap_ns;
		expect_errno(EINVAL, make_section_as(&asked));
	}
}

static void long_sections(void **state)
{
	const struct immpc_step most[] = { WORK(IMMPC_WORK_MAX_NS) };
	struct immpc_section asked = section_of(most, 1);

	(void)state;
	assert_int_equal(make_section_as(&asked), 0);
	expect_errno(EINVAL, SECTION(WORK(IMMPC_WORK_MAX_NS), WORK(1)));
	expect_errno(EINVAL, SECTION(WORK(UINT64_MAX), WORK(2)));
	asked.chunk_iterations = IMMPC_CHUNK_ITERATIONS_MAX;
	expect_errno(EINVAL, make_section_as(&asked));
}

static void orders_that_could_deadlock(void **state)
{
	int a = make_resource(IMMPC_KIND_POSTPONED, 98), b = make_resource(IMMPC_KIND_EAGER, 98);
	int c = make_resource(IMMPC_KIND_RT_MUTEX, 98);

	(void)state;
	assert_int_equal(SECTION(LOCK(c), LOCK(a), UNLOCK(a), UNLOCK(c)), 0);
	assert_int_equal(SECTION(LOCK(b), LOCK(c), UNLOCK(c), UNLOCK(b)), 1);
	expect_errno(EDEADLK, SECTION(LOCK(a), LOCK(b), UNLOCK(b), UNLOCK(a)));
	expect_errno(EDEADLK, SECTION(LOCK(a), LOCK(c), UNLOCK(c), UNLOCK(a)));
	assert_int_equal(SECTION(LOCK(b), LOCK(a), UNLOCK(a), UNLOCK(b)), 2);
}

static void too_many_sections(void **state)
{
	(void)state;
	for (int i = 0; i < IMMPC_SECTIONS_MAX; i++)
		assert_int_equal(SECTION(WORK(1)), i);
	expect_errno(ENOSPC, SECTION(WORK(1)));
}

static void urgent_callers(void **state)
{
	int a = make_resource(IMMPC_KIND_POSTPONED, 30), b = make_resource(IMMPC_KIND_RT_MUTEX, 1);
	int under_a = SECTION(LOCK(a), UNLOCK(a)), under_b = SECTION(LOCK(b), UNLOCK(b));
	struct immpc_event events[EVENTS_MAX];
	struct immpc_run run;

	(void)state;
	schedule(31);
	expect_errno(EINVAL, run_section(under_a, &run, events));
	assert_int_equal(run_section(under_b, &run, events), 0);
	schedule(30);
	assert_int_equal(run_section(under_a, &run, events), 0);
}

static void bad_addresses(void **state)
{
	int a = make_resource(IMMPC_KIND_POSTPONED, 30);
	int section = SECTION(LOCK(a), UNLOCK(a));
	struct immpc_event events[EVENTS_MAX];
	struct immpc_run run;

	(void)state;
	expect_errno(EFAULT, call(IMMPC_IOC_RESOURCE, NULL));
	expect_errno(EFAULT, call(IMMPC_IOC_SECTION, (void *)-8L));
	expect_errno(EFAULT, call(IMMPC_IOC_RUN, NULL));
	expect_errno(EFAULT, call(IMMPC_IOC_COST, NULL));
	expect_errno(EFAULT, make_section(NULL, 1));
	expect_errno(EFAULT, make_section((void *)UINTPTR_MAX, 2));
	expect_errno(EFAULT, run_section(section, &run, NULL));
	expect_errno(EFAULT, run_section(section, &run, (void *)(UINTPTR_MAX << 47)));
	assert_int_equal(run_section(section, &run, events), 0);
	expect_errno(ENOENT, run_section(section + 1, &run, events));
	expect_errno(ENOENT, run_section(-1, &run, events));
	expect_errno(ENOTTY, call(_IO('p', 0x6f), NULL));
}

static void costs(void **state)
{
	static const struct immpc_cost wrong[] = {
		{ IMMPC_KIND_NOTHING + 1, 1, 1, 0 },
		{ UINT32_MAX, 1, 1, 0 },
		{ 0, 0, 1, 0 },
		{ 0, IMMPC_COST_DEPTH_MAX + 1, 1, 0 },
		{ 0, 1, 0, 0 },
		{ 0, 1, IMMPC_COST_ROUNDS_MAX + 1, 0 },
	};
	struct immpc_cost right = { IMMPC_KIND_POSTPONED, 3, 10, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_errno(EINVAL, call(IMMPC_IOC_COST, &wrong[i]));
	schedule(IMMPC_COST_CEILING + 1);
	expect_errno(EINVAL, call(IMMPC_IOC_COST, &right));
	schedule(IMMPC_COST_CEILING);
	assert_int_equal(call(IMMPC_IOC_COST, &right), 0);
	assert_true(right.cycles > 0);
}

/* Small numbers, so that some input is right. A work step lasts at most a microsecond. */
static void fill_wildly(uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = rand() % 8 == 0 ? (uint32_t)rand() : (uint32_t)rand() % 4;
}

static void wild_calls(void **state)
{
	static const unsigned long requests[] = { IMMPC_IOC_RESOURCE, IMMPC_IOC_SECTION,
						  IMMPC_IOC_RUN, IMMPC_IOC_COST };
	static uint32_t words[4096];

	(void)state;
	srand(1);
	for (int i = 0; i < WILD_CALLS; i++) {
		struct immpc_step steps[8];
		struct immpc_section section = section_of(steps, (unsigned)rand() % 9);
		struct immpc_run run = { .section = (unsigned)rand() % 8,
					 .events = (uintptr_t)words };

		fill_wildly(words, 64);
		fill_wildly((uint32_t *)steps, sizeof(steps) / (sizeof(uint32_t)));
		for (int step = 0; step < 8; step++)
			steps[step].work_ns %= 1000;
		call(requests[rand() % 4], words);
		make_section_as(&section);
		call(IMMPC_IOC_RUN, &run);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_device, close_device)

int main(void)
{
	const struct CMUnitTest all[] = {
		TEST(resources),	 TEST(unbalanced_sections),
		TEST(deep_sections),	 TEST(numbers_of_sections),
		TEST(long_sections),	 TEST(orders_that_could_deadlock),
		TEST(too_many_sections), TEST(urgent_callers),
		TEST(bad_addresses),	 TEST(costs),
		TEST(wild_calls),
	};

	return cmocka_run_group_tests_name("driver refuses", all, NULL, NULL);
}
