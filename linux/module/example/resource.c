// SPDX-License-Identifier: GPL-2.0

/*
 * Resources, and the order in which sections nest them. The order comes from the sections made so
 * far. A section that would close a circle in this order is refused. So no sections of a file can
 * wait for each other for ever, on any number of CPUs.
 */
#include "driver.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

static void init(struct resource_lock *resource, const struct immpc_resource *asked)
{
	resource->kind = asked->kind;
	resource->ceiling = (int)asked->ceiling;
	if (asked->kind == IMMPC_KIND_RT_MUTEX) {
		rt_mutex_init(&resource->rt_mutex);
		return;
	}
	immpc_mutex_init(&resource->immpc_mutex, (int)asked->ceiling);
	immpc_mutex_set_eager(&resource->immpc_mutex, asked->kind == IMMPC_KIND_EAGER);
}

static long add(struct driver_file *file, struct resource_lock *resource)
{
	u32 number;
	int error = xa_alloc(&file->resources, &number, resource,
			     XA_LIMIT(0, IMMPC_RESOURCES_MAX - 1), GFP_KERNEL);

	if (error == -EBUSY)
		return -ENOSPC;
	return error ? error : (long)number;
}

long resource_make(struct driver_file *file, const struct immpc_resource __user *argument)
{
	struct immpc_resource asked;
	struct resource_lock *resource;
	long number;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.kind >= IMMPC_KIND_EMPTY || asked.ceiling < 1 ||
	    asked.ceiling > IMMPC_CEILING_MAX)
		return -EINVAL;
	resource = kvzalloc(sizeof(*resource), GFP_KERNEL_ACCOUNT);
	if (!resource)
		return -ENOMEM;
	init(resource, &asked);
	mutex_lock(&file->making);
	number = add(file, resource);
	mutex_unlock(&file->making);
	if (number < 0)
		kvfree(resource);
	return number;
}

/*
 * All that can be inside `inner` can be inside `outer`, and inside all resources around `outer`.
 * The time grows with the file's resources.
 */
int resource_nest(struct driver_file *file, unsigned long outer, unsigned long inner)
{
	struct resource_lock *within = xa_load(&file->resources, inner), *around;
	unsigned long number;

	if (outer == inner || test_bit(outer, within->inside))
		return -EDEADLK;
	xa_for_each(&file->resources, number, around)
	{
		if (number != outer && !test_bit(outer, around->inside))
			continue;
		__set_bit(inner, around->inside);
		bitmap_or(around->inside, around->inside, within->inside, IMMPC_RESOURCES_MAX);
	}
	return 0;
}
