// SPDX-License-Identifier: GPL-2.0

/* An example of a driver that uses immpc_mutex: see immpc_driver.h. */
#include "driver.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

bool caller_keeps(int ceiling)
{
	return current->policy != SCHED_DEADLINE && (int)current->rt_priority <= ceiling;
}

static int open(struct inode *inode, struct file *opened)
{
	struct driver_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->making);
	xa_init_flags(&file->resources, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->sections, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	opened->private_data = file;
	return 0;
}

/* No call is under way in the file any more. */
static int release(struct inode *inode, struct file *opened)
{
	struct driver_file *file = opened->private_data;
	struct resource_lock *resource;
	struct section *section;
	unsigned long number;

	xa_for_each(&file->sections, number, section) section_free(section);
	xa_for_each(&file->resources, number, resource) kvfree(resource);
	xa_destroy(&file->sections);
	xa_destroy(&file->resources);
	kfree(file);
	return 0;
}

static long unlocked_ioctl(struct file *opened, unsigned int command, unsigned long argument)
{
	struct driver_file *file = opened->private_data;

	switch (command) {
	case IMMPC_IOC_RESOURCE:
		return resource_make(file, (void __user *)argument);
	case IMMPC_IOC_SECTION:
		return section_make(file, (void __user *)argument);
	case IMMPC_IOC_RUN:
		return section_run(file, (void __user *)argument);
	case IMMPC_IOC_COST:
		return cost_measure((void __user *)argument);
	}
	return -ENOTTY;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = open,
	.release = release,
	.unlocked_ioctl = unlocked_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "immpc",
	.fops = &operations,
	.mode = 0600,
};

module_misc_device(device);
MODULE_DESCRIPTION("Critical sections under immpc_mutex and rt_mutex, executed on request");
MODULE_AUTHOR("plafond");
MODULE_LICENSE("GPL");
