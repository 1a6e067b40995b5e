/* SPDX-License-Identifier: MIT */
/*
 * For images with files that run in both modes. `place` shows the kind of code that the kernel
 * called.
 */
#include "port.h"
#include "user/plf_mode.h"

bool plf_is_in_kernel(void)
{
	return plf_this_core()->place != PLF_IN_TASK;
}
