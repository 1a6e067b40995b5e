// SPDX-License-Identifier: GPL-2.0

/*
 * A device without hardware: see frames.h. Its interrupt and thread exist while the module is
 * loaded.
 */
#include "frames_run.h"

#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/irq.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

static unsigned int irq;
static unsigned long is_open;
static DEFINE_MUTEX(starting);
/* The run of the open file. It changes only while no interrupt of it can come. */
static struct frames_run *running;

static irqreturn_t interrupt(int number, void *data)
{
	return frames_run_interrupt(running);
}

static irqreturn_t serve(int number, void *data)
{
	return frames_run_serve(running);
}

static int open(struct inode *inode, struct file *opened)
{
	if (test_and_set_bit(0, &is_open))
		return -EBUSY;
	opened->private_data = NULL; /* misc_open() left the device there */
	return stream_open(inode, opened);
}

/* No call is under way in the file any more. */
static int release(struct inode *inode, struct file *opened)
{
	if (running)
		frames_run_end(running);
	running = NULL;
	clear_bit_unlock(0, &is_open);
	return 0;
}

static long start(const struct frames_start __user *argument)
{
	struct frames_start asked;
	struct frames_run *run;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	guard(mutex)(&starting);
	if (running)
		return -EBUSY;
	run = frames_run_make(&asked, irq);
	if (IS_ERR(run))
		return PTR_ERR(run);
	WRITE_ONCE(running, run);
	frames_run_begin(run);
	return 0;
}

/* The run is over, so nothing of it changes any more. */
static long report(struct frames_run *run, struct frames_result __user *argument)
{
	struct frames_result result;

	if (copy_from_user(&result, argument, sizeof(result)))
		return -EFAULT;
	result.begin_ns = run->begin_ns;
	result.made = run->made;
	result.served = run->taken;
	result.lost = run->lost;
	result.backlog_max = run->backlog_max;
	if (copy_to_user(u64_to_user_ptr(result.frames), run->frames,
			 run->made * sizeof(*run->frames)))
		return -EFAULT;
	return copy_to_user(argument, &result, sizeof(result)) ? -EFAULT : 0;
}

static long wait(struct frames_result __user *argument)
{
	struct frames_run *run = READ_ONCE(running);
	int error;

	if (!run)
		return -EINVAL;
	error = wait_for_completion_interruptible(&run->over);
	return error ? error : report(run, argument);
}

static long unlocked_ioctl(struct file *opened, unsigned int command, unsigned long argument)
{
	switch (command) {
	case FRAMES_IOC_START:
		return start((void __user *)argument);
	case FRAMES_IOC_WAIT:
		return wait((void __user *)argument);
	}
	return -ENOTTY;
}

/* The file's private_data is the number of frames that were read. */
static ssize_t read(struct file *opened, char __user *buffer, size_t size, loff_t *unused)
{
	struct frames_run *run = READ_ONCE(running);
	size_t room = size / sizeof(struct frames_frame), count = 0;
	uintptr_t position = (uintptr_t)opened->private_data;
	u32 taken;

	if (!run || room == 0)
		return -EINVAL;
	if (wait_event_interruptible(run->readers, smp_load_acquire(&run->taken) > position ||
							   completion_done(&run->over)))
		return -ERESTARTSYS;
	taken = smp_load_acquire(&run->taken);
	for (; count < room && position + count < taken; count++) {
		const struct frames_frame *frame = &run->frames[run->served[position + count]];

		if (copy_to_user(buffer + count * sizeof(*frame), frame, sizeof(*frame)))
			return -EFAULT;
	}
	opened->private_data = (void *)(position + count);
	return (ssize_t)(count * sizeof(struct frames_frame));
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = open,
	.release = release,
	.read = read,
	.unlocked_ioctl = unlocked_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "plafond_frames",
	.fops = &operations,
	.mode = 0600,
};

/*
 * The interrupt number has no owner. If a module owned the number that it requests, it would hold
 * itself, and could never be unloaded. IRQF_NO_THREAD keeps the handler in hard interrupt context,
 * even if the kernel threads other handlers.
 */
static int __init load(void)
{
	int error, allocated = __irq_alloc_descs(-1, 1, 1, NUMA_NO_NODE, NULL, NULL);

	if (allocated < 0)
		return allocated;
	irq = (unsigned int)allocated;
	frames_calibrate();
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	error = request_threaded_irq(irq, interrupt, serve, IRQF_NO_THREAD, "frames", &device);
	if (error)
		goto free_desc;
	error = misc_register(&device);
	if (error)
		goto free_interrupt;
	return 0;

free_interrupt:
	free_irq(irq, &device);
free_desc:
	irq_free_desc(irq);
	return error;
}

static void __exit unload(void)
{
	misc_deregister(&device);
	free_irq(irq, &device);
	irq_free_desc(irq);
}

module_init(load);
module_exit(unload);
MODULE_DESCRIPTION("A device whose interrupts come at exact times");
MODULE_AUTHOR("plafond");
MODULE_LICENSE("GPL");
