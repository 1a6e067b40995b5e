/* SPDX-License-Identifier: MIT */
/*
 * The device whose interrupts come at exact times: its refusals, its served and lost frames, and
 * its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <frames.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Above the interrupt thread, which has priority 50 and works for long. */
enum { PRIORITY = 60, MANY = 200 };

#define MICROSECOND UINT64_C(1000)
#define MILLISECOND UINT64_C(1000000)

static const struct frames_start some = { MILLISECOND, 10 * MICROSECOND, 0, MANY, 8 };
static struct frames_frame frames[MANY];
static int device = -1;

static int set_up(void **state)
{
	struct sched_param param = { .sched_priority = PRIORITY };

	(void)state;
	device = open(FRAMES_DEVICE, O_RDWR | O_CLOEXEC);
	return device < 0 ? -1 : sched_setscheduler(0, SCHED_FIFO, &param);
}

static int tear_down(void **state)
{
	struct sched_param param = { .sched_priority = 0 };

	(void)state;
	sched_setscheduler(0, SCHED_OTHER, &param);
	return close(device);
}

static void expect_error(int error, long result)
{
	assert_int_equal(result, -1);
	assert_int_equal(errno, error);
}

static int start(struct frames_start asked)
{
	return ioctl(device, FRAMES_IOC_START, &asked);
}

static struct frames_result await(void)
{
	struct frames_result result = { .frames = (uintptr_t)frames };

	assert_int_equal(ioctl(device, FRAMES_IOC_WAIT, &result), 0);
	return result;
}

static void numbers_outside_their_ranges(void **state)
{
	static const struct frames_start wrong[] = {
		{ FRAMES_PERIOD_MIN_NS - 1, 1, 1, 1, 1 },
		{ FRAMES_PERIOD_MAX_NS + 1, 1, 1, 1, 1 },
		{ UINT64_MAX, 1, 1, 1, 1 },
		{ MILLISECOND, FRAMES_WORK_MAX_NS + 1, 1, 1, 1 },
		{ MILLISECOND, 1, UINT64_MAX, 1, 1 },
		{ MILLISECOND, 1, 1, 0, 1 },
		{ MILLISECOND, 1, 1, FRAMES_COUNT_MAX + 1, 1 },
		{ MILLISECOND, 1, 1, UINT32_MAX, 1 },
		{ MILLISECOND, 1, 1, 1, 0 },
		{ MILLISECOND, 1, 1, 1, FRAMES_RING_MAX + 1 },
		{ MILLISECOND, 1, 1, 1, UINT32_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_error(EINVAL, start(wrong[i]));
	assert_int_equal(start(some), 0);
}

static void calls_in_a_wrong_order(void **state)
{
	struct frames_result result = { .frames = (uintptr_t)frames };

	(void)state;
	expect_error(EINVAL, ioctl(device, FRAMES_IOC_WAIT, &result));
	expect_error(EINVAL, read(device, frames, sizeof(frames)));
	expect_error(EBUSY, open(FRAMES_DEVICE, O_RDWR | O_CLOEXEC));
	assert_int_equal(start(some), 0);
	expect_error(EBUSY, start(some));
	expect_error(EINVAL, read(device, frames, sizeof(frames[0]) - 1));
	expect_error(ENOTTY, ioctl(device, _IO('p', 0x7f), 0));
}

static void bad_addresses(void **state)
{
	struct frames_start asked = some;
	struct frames_result result = { .frames = 8 };

	(void)state;
	expect_error(EFAULT, ioctl(device, FRAMES_IOC_START, NULL));
	assert_int_equal(ioctl(device, FRAMES_IOC_START, &asked), 0);
	expect_error(EFAULT, syscall(SYS_read, device, NULL, sizeof(frames[0])));
	expect_error(EFAULT, ioctl(device, FRAMES_IOC_WAIT, NULL));
	expect_error(EFAULT, ioctl(device, FRAMES_IOC_WAIT, &result));
}

static void each_frame_is_read_once_and_in_order(void **state)
{
	struct frames_frame frame;
	int64_t last_ns = 0;
	unsigned count = 0;
	ssize_t size;

	(void)state;
	assert_int_equal(start(some), 0);
	while ((size = read(device, &frame, sizeof(frame))) != 0) {
		assert_int_equal(size, sizeof(frame));
		assert_true(last_ns < frame.sent_ns && frame.sent_ns < frame.served_ns);
		last_ns = frame.sent_ns;
		count++;
	}
	assert_int_equal(count, await().served);
	assert_int_equal(read(device, &frame, sizeof(frame)), 0);
}

static void what_finds_the_ring_full_is_lost(void **state)
{
	const struct frames_start greedy = { 100 * MICROSECOND, MILLISECOND, MILLISECOND, MANY, 4 };
	struct frames_result result;
	unsigned lost = 0;

	(void)state;
	assert_int_equal(start(greedy), 0);
	result = await();
	for (unsigned i = 0; i < MANY; i++)
		lost += frames[i].served_ns == 0;
	assert_int_equal(result.made, MANY);
	assert_int_equal(result.backlog_max, greedy.ring_size);
	assert_int_equal(result.lost, lost);
	assert_int_equal(result.served, MANY - lost);
	assert_in_range(result.served, greedy.ring_size, MANY / 2);
}

/* Close the device at once, while a frame takes a second. The next open finds the device as new. */
static void closed_while_the_thread_works(void **state)
{
	const struct frames_start endless = { 10 * MICROSECOND, FRAMES_WORK_MAX_NS,
					      FRAMES_WORK_MAX_NS, FRAMES_COUNT_MAX,
					      FRAMES_RING_MAX };

	(void)state;
	for (int round = 0; round < 20; round++) {
		assert_int_equal(start(endless), 0);
		usleep((useconds_t)(round * 50));
		assert_int_equal(close(device), 0);
		device = open(FRAMES_DEVICE, O_RDWR | O_CLOEXEC);
		assert_true(device >= 0);
	}
	assert_int_equal(start(some), 0);
	assert_int_equal(await().made, MANY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest all[] = {
		TEST(numbers_outside_their_ranges),
		TEST(calls_in_a_wrong_order),
		TEST(bad_addresses),
		TEST(each_frame_is_read_once_and_in_order),
		TEST(what_finds_the_ring_full_is_lost),
		TEST(closed_while_the_thread_works),
	};

	return cmocka_run_group_tests_name("frames", all, NULL, NULL);
}
