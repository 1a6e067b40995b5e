/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "device.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int file = -1;

int open_device(void **state)
{
	(void)state;
	file = open(IMMPC_DEVICE, O_RDWR | O_CLOEXEC);
	return file < 0 ? -1 : 0;
}

int close_device(void **state)
{
	(void)state;
	schedule(0);
	return close(file);
}

int call(unsigned long request, const void *argument)
{
	return ioctl(file, request, argument);
}

int make_resource(unsigned kind, unsigned ceiling)
{
	struct immpc_resource asked = { .kind = kind, .ceiling = ceiling };

	return call(IMMPC_IOC_RESOURCE, &asked);
}

struct immpc_section section_of(const struct immpc_step *steps, unsigned count)
{
	return (struct immpc_section) {
		.steps = (uintptr_t)steps,
		.step_count = count,
		.gap_room = GAPS,
		.chunk_iterations = 1000,
		.chunk_ps = 1000000,
		.gap_ns = 100000,
	};
}

int make_section_as(struct immpc_section *asked)
{
	return call(IMMPC_IOC_SECTION, asked);
}

int make_section(const struct immpc_step *steps, unsigned count)
{
	struct immpc_section asked = section_of(steps, count);

	return make_section_as(&asked);
}

int run_section(int number, struct immpc_run *run, struct immpc_event *events)
{
	*run = (struct immpc_run) { .section = (unsigned)number, .events = (uintptr_t)events };
	return call(IMMPC_IOC_RUN, run);
}

void schedule(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	assert_int_equal(sched_setscheduler(0, priority > 0 ? SCHED_FIFO : SCHED_OTHER, &param), 0);
}
