/* SPDX-License-Identifier: MIT */
/* Of images with files that run in both modes: the kernel knows what it has called. */
#include "port.h"
#include "user/plf_mode.h"

bool plf_is_in_kernel(void)
{
	return plf_this_core()->place != PLF_IN_TASK;
}
