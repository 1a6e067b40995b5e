/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "../module/plafond_device.h"

#include <plafond.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int file = -1;

static int open_device(void)
{
	return open(PLF_DEVICE, O_RDWR | O_CLOEXEC);
}

bool plf_device_is_there(void)
{
	int saved = errno;
	int probe = file < 0 ? open_device() : -1;

	if (probe >= 0)
		close(probe);
	errno = saved;
	return file >= 0 || probe >= 0;
}

int plf_device_open(void)
{
	int saved = errno;

	if (file < 0)
		file = open_device();
	errno = saved;
	return file < 0 ? ENODEV : 0;
}

void plf_device_close(void)
{
	if (file >= 0)
		close(file);
	file = -1;
}

static int ask(unsigned long request, const void *argument)
{
	int saved = errno;
	int error = ioctl(file, request, argument) == 0 ? 0 : errno;

	errno = saved;
	return error;
}

int plf_device_register(void)
{
	struct plf_registration registration = {
		.words = (uintptr_t)&plf_lazy_self,
		.max_priority = PLF_PRIORITY_MAX,
		.version = PLF_WORDS_VERSION,
	};

	return ask(PLF_IOC_REGISTER, &registration);
}

void plf_device_unregister(void)
{
	ask(PLF_IOC_UNREGISTER, NULL);
}

void plf_device_lower(void)
{
	ask(PLF_IOC_LOWER, NULL);
}
