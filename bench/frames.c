// SPDX-License-Identifier: MIT

/*
 * Run the device of plafond_frames.ko once, and print the fate of each frame. With a receiver, this
 * thread takes the frames as they come, and prints the time of each, too.
 *
 * Output: `begin_ns made served lost backlog_max`, then a line for each frame, `sent served
 * received`. A time is 0 if the frame was lost, or not received.
 */
#include "../linux/machine/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <frames.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FAILED = 1, REFUSED = 2, NUMBERS = 5 };

static const char usage[] = "usage: frames [--receive] PERIOD_NS COUNT RING_SIZE WORK_NS "
			    "FIRST_WORK_NS\n";

static struct frames_frame frames[FRAMES_COUNT_MAX];
static int64_t received_ns[FRAMES_COUNT_MAX]; /* in the order of frames */

static void fail(const char *what)
{
	fprintf(stderr, "frames: %s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static struct frames_start parse(char **words)
{
	uint64_t numbers[NUMBERS];

	for (int i = 0; i < NUMBERS; i++) {
		char *end;

		numbers[i] = strtoull(words[i], &end, 10);
		if (*words[i] == '\0' || *end != '\0') {
			fprintf(stderr, "frames: found '%s'; expected a number\n", words[i]);
			exit(REFUSED);
		}
	}
	return (struct frames_start) {
		.period_ns = numbers[0],
		.count = (uint32_t)numbers[1],
		.ring_size = (uint32_t)numbers[2],
		.work_ns = numbers[3],
		.first_work_ns = numbers[4],
	};
}

/* Returns after the last frame. */
static void receive(int device)
{
	struct frames_frame frame;
	ssize_t size;

	for (int count = 0; (size = read(device, &frame, sizeof(frame))) > 0; count++)
		received_ns[count] = now_ns();
	if (size < 0)
		fail("read");
}

static void print(const struct frames_result *result)
{
	uint32_t next = 0;

	printf("%" PRId64 " %u %u %u %u\n", (int64_t)result->begin_ns, result->made, result->served,
	       result->lost, result->backlog_max);
	for (uint32_t i = 0; i < result->made; i++) {
		bool is_served = frames[i].served_ns > 0;

		printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", (int64_t)frames[i].sent_ns,
		       (int64_t)frames[i].served_ns, is_served ? received_ns[next] : 0);
		next += is_served;
	}
}

int main(int count, char **words)
{
	bool receives = count > 1 && strcmp(words[1], "--receive") == 0;
	struct frames_result result = { .frames = (uintptr_t)frames };
	struct frames_start asked;
	int device;

	if (count != NUMBERS + 1 + receives) {
		fputs(usage, stderr);
		return REFUSED;
	}
	asked = parse(words + 1 + receives);
	device = open(FRAMES_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0)
		fail(FRAMES_DEVICE);
	if (ioctl(device, FRAMES_IOC_START, &asked) != 0)
		fail("start");
	if (receives)
		receive(device);
	if (ioctl(device, FRAMES_IOC_WAIT, &result) != 0)
		fail("wait");
	print(&result);
	return 0;
}
