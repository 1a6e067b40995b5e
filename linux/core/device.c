/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "../module/plafond_device.h"

#include <plafond/ceiling_stack.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int file = -1;

/* If the program has closed its standard input, output or error, do not take that number. */
static int open_device(void)
{
	int fd = open(PLF_DEVICE, O_RDWR | O_CLOEXEC);
	int higher;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return higher;
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

/* Is `file` not the device any more? Some programs close files that they did not open. */
static bool is_lost(int error)
{
	return error == EBADF || error == ENOTTY;
}

static int ask(unsigned long request, const void *argument)
{
	int saved = errno;
	int error = ioctl(file, request, argument) == 0 ? 0 : errno;

	if (is_lost(error)) {
		__atomic_store_n(&file, open_device(), __ATOMIC_RELAXED);
		error = ioctl(file, request, argument) == 0 ? 0 : errno;
	}
	errno = saved;
	return error;
}

int plf_device_register(const struct plf_lazy *words)
{
	struct plf_registration registration = {
		.words = (uintptr_t)words,
		.max_priority = PLF_PRIORITY_MAX,
		.version = PLF_WORDS_VERSION,
	};

	return ask(PLF_IOC_REGISTER, &registration);
}

void plf_device_unregister(void)
{
	ask(PLF_IOC_UNREGISTER, NULL);
}

int plf_device_lower(void)
{
	return ask(PLF_IOC_LOWER, NULL);
}
