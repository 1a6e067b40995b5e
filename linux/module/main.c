// SPDX-License-Identifier: GPL-2.0

/*
 * plafond.ko: immediate priority ceilings on a stock PREEMPT_RT kernel, for drivers
 * (immpc_mutex.h) and for user threads (plafond_device.h).
 */
#include "device.h"
#include "hook.h"
#include "priority.h"

#include <linux/init.h>
#include <linux/module.h>

/* A read-only parameter that shows a count. */
static int show_count(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(param->arg));
}

static const struct kernel_param_ops count_ops = { .get = show_count };

module_param_cb(raises, &count_ops, &plf_priority_raises, 0444);
MODULE_PARM_DESC(raises, "priorities set for a ceiling since the module was loaded");
module_param_cb(restores, &count_ops, &plf_priority_restores, 0444);
MODULE_PARM_DESC(restores, "priorities given back since the module was loaded");

static int __init plf_init(void)
{
	int error = plf_hook_init();

	if (error)
		return error;
	error = plf_device_init();
	if (error)
		plf_hook_exit();
	return error;
}

static void __exit plf_exit(void)
{
	plf_device_exit();
	plf_hook_exit();
}

module_init(plf_init);
module_exit(plf_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("immediate priority ceilings, for drivers and for user threads");
