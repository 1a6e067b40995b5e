/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "../machine/say.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool device_is_there(const struct protocol *protocol)
{
	int file;

	if (protocol->device == NULL)
		return true;
	file = open(protocol->device, O_RDWR | O_CLOEXEC);
	if (file >= 0) {
		close(file);
		return true;
	}
	refuse("protocol %s needs %s (%s): load the kernel modules plafond.ko and immpc_driver.ko, "
	       "or run in the virtual machine that has them: plafond run --on vm",
	       protocol->name, protocol->device, strerror(errno));
	return false;
}
