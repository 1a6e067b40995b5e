/* SPDX-License-Identifier: MIT */
/* The mutexes of the kernel, in the driver of linux/module/example: rt_mutex and immpc_mutex. */
#include "lock_driver.h"

#include "locks.h"

#include <errno.h>
#include <fcntl.h>
#include <immpc_driver.h>
#include <sys/ioctl.h>

/* The process opens it once, with the first lock, while there is only one thread. */
static int file = -1;

int call_driver(unsigned long request, void *argument)
{
	return ioctl(file, request, argument);
}

static int attach(int priority, int cpu, int option)
{
	(void)option;
	return pthread_locks.attach(priority, cpu, PTHREAD_PRIO_NONE);
}

static int create(union lock *lock, int ceiling, bool is_global, int option)
{
	struct immpc_resource resource = { .kind = (uint32_t)option, .ceiling = (uint32_t)ceiling };
	int number;

	(void)is_global;
	if (file < 0)
		file = open(IMMPC_DEVICE, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return errno;
	number = call_driver(IMMPC_IOC_RESOURCE, &resource);
	if (number < 0)
		return errno;
	lock->in_driver = (uint32_t)number;
	return 0;
}

static int sleep_until(int64_t time_ns)
{
	return pthread_locks.sleep_until(time_ns);
}

const struct lock_kind driver_locks = {
	.attach = attach,
	.create = create,
	.sleep_until = sleep_until,
	.has_sections = true,
	.lock_call = "a section in " IMMPC_DEVICE,
	.sleep_call = "clock_nanosleep",
};
