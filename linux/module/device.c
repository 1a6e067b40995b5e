// SPDX-License-Identifier: GPL-2.0

/*
 * /dev/plafond. A registration belongs to its thread, not to the open file. It ends with the
 * thread, with its program, or on request. It pins the page of the thread's words, so that the hook
 * can read them even if user code changes its mappings. It also holds the module.
 */
#include "device.h"

#include "plafond_device.h"
#include "task.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/prio.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

struct registration {
	struct plf_task_record task;
	struct page *page;
	struct work_struct release;
};

/* Unload waits for this queue, because the last reference to the module is put on it. */
static struct workqueue_struct *releases;

static void release(struct registration *registration)
{
	unpin_user_pages_dirty_lock(&registration->page, 1, true);
	kfree(registration);
	module_put(THIS_MODULE);
}

static void release_later(struct work_struct *work)
{
	release(container_of(work, struct registration, release));
}

/* The running task's registration; NULL: there is none. Needs preemption off. */
static struct registration *registration_current(void)
{
	struct plf_task_record *task = plf_task_current();

	return task && task->words ? container_of(task, struct registration, task) : NULL;
}

static int check(const struct plf_registration *asked)
{
	if (asked->version != PLF_WORDS_VERSION)
		return -EPROTO;
	if (asked->words % __alignof__(struct plf_lazy) || asked->max_priority < 1 ||
	    asked->max_priority >= MAX_RT_PRIO)
		return -EINVAL;
	return current->policy == SCHED_DEADLINE ? -EOPNOTSUPP : 0;
}

static struct registration *create(const struct plf_registration *asked)
{
	struct registration *registration = kzalloc(sizeof(*registration), GFP_KERNEL_ACCOUNT);
	unsigned long address = (unsigned long)asked->words;
	int pinned;

	if (!registration)
		return ERR_PTR(-ENOMEM);
	pinned = pin_user_pages_fast(address & PAGE_MASK, 1, FOLL_WRITE | FOLL_LONGTERM,
				     &registration->page);
	if (pinned != 1) {
		kfree(registration);
		return ERR_PTR(pinned == -ENOMEM ? -ENOMEM : -EFAULT);
	}
	INIT_WORK(&registration->release, release_later);
	__module_get(THIS_MODULE);
	return registration;
}

static void fill(struct registration *registration, const struct plf_registration *asked)
{
	struct plf_task_record *task = &registration->task;

	plf_task_adopt(task);
	task->words = page_address(registration->page) + offset_in_page(asked->words);
	task->base = (int)current->rt_priority;
	task->limit = (int)asked->max_priority;
	plf_lazy_report(task->words, 0);
}

static int enter(const struct plf_registration __user *argument)
{
	struct plf_registration asked;
	struct registration *registration;
	int error;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	error = check(&asked);
	if (error)
		return error;
	registration = create(&asked);
	if (IS_ERR(registration))
		return PTR_ERR(registration);
	preempt_disable();
	if (plf_task_current())
		error = -EEXIST;
	else
		fill(registration, &asked);
	preempt_enable();
	if (error)
		release(registration);
	return error;
}

static int leave(void)
{
	struct registration *registration;

	preempt_disable();
	registration = registration_current();
	if (registration)
		plf_task_drop(&registration->task);
	preempt_enable();
	if (!registration)
		return -ESRCH;
	release(registration);
	return 0;
}

static int lower(void)
{
	struct registration *registration;

	preempt_disable();
	registration = registration_current();
	if (registration)
		plf_task_settle(&registration->task, PLF_ADJUST);
	preempt_enable();
	return registration ? 0 : -ESRCH;
}

/* Release the page later, because preemption is off here. */
void plf_device_forget(void)
{
	struct registration *registration = registration_current();

	if (!registration)
		return;
	plf_task_drop(&registration->task);
	queue_work(releases, &registration->release);
}

static long on_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	switch (command) {
	case PLF_IOC_REGISTER:
		return enter((const struct plf_registration __user *)argument);
	case PLF_IOC_UNREGISTER:
		return leave();
	case PLF_IOC_LOWER:
		return lower();
	default:
		return -ENOTTY;
	}
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = on_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "plafond",
	.fops = &operations,
	.mode = 0666,
};

int plf_device_init(void)
{
	int error;

	releases = alloc_workqueue("plafond", WQ_UNBOUND, 0);
	if (!releases)
		return -ENOMEM;
	error = misc_register(&device);
	if (error)
		destroy_workqueue(releases);
	return error;
}

void plf_device_exit(void)
{
	misc_deregister(&device);
	destroy_workqueue(releases);
}
