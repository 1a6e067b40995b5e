// SPDX-License-Identifier: GPL-2.0

/*
 * The slow paths of immpc_mutex.h: settled sections, held mutexes, and the eager variant, whose
 * every lock and unlock comes here.
 *
 * Invariants, besides the invariants of postponed_ceiling.h:
 *  - A settled section's mutex is in its owner's plf_task_record. The record is in a mutex that the
 *    task holds, on its stack while it is in line, or in its registration.
 *  - A task in line has the ceiling already, because the section begins with the request. So a
 *    granted task comes before every task that the ceiling keeps out.
 *  - The line, and an owner word that names no task but is not 0, change only under wait_lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "immpc_mutex.h"

#include "hook.h"

#include <linux/module.h>

DEFINE_PER_CPU(u64, immpc_pending);
EXPORT_PER_CPU_SYMBOL_GPL(immpc_pending);

static bool eager;
module_param(eager, bool, 0444);
MODULE_PARM_DESC(eager, "each lock and unlock of a kernel mutex changes the priority");

struct waiter {
	struct list_head link;
	struct task_struct *task;
	int priority; /* the task's own */
	bool is_granted;
	struct plf_task_record lent;
};

static struct immpc_mutex *mutex_of(struct plf_section *section)
{
	return container_of(section, struct immpc_mutex, section);
}

static bool names_a_task(long owner)
{
	return (owner & ~IMMPC_FLAGS) != 0;
}

static long variant_of(long owner)
{
	if (owner & IMMPC_FRESH)
		return eager ? IMMPC_EAGER : 0;
	return owner & IMMPC_EAGER;
}

static int limited(int ceiling)
{
	int within = clamp(ceiling, 1, IMMPC_CEILING_MAX);

	if (within != ceiling)
		pr_err("immpc_mutex: ceiling %d; expected 1 to %d\n", ceiling, IMMPC_CEILING_MAX);
	return within;
}

void immpc_mutex_init(struct immpc_mutex *lock, int prio)
{
	*lock = (struct immpc_mutex) { .section = { .ceiling = (u32)limited(prio) } };
	raw_spin_lock_init(&lock->wait_lock);
	INIT_LIST_HEAD(&lock->wait_list);
	atomic_long_set(&lock->owner, IMMPC_FRESH);
}
EXPORT_SYMBOL_GPL(immpc_mutex_init);

void immpc_mutex_set_eager(struct immpc_mutex *lock, bool is_eager)
{
	atomic_long_set(&lock->owner, is_eager ? IMMPC_EAGER : 0);
}
EXPORT_SYMBOL_GPL(immpc_mutex_set_eager);

void immpc_mutex_set_ceiling(struct immpc_mutex *lock, int newceiling)
{
	immpc_mutex_lock(lock);
	WRITE_ONCE(lock->section.ceiling, (u32)limited(newceiling));
	immpc_mutex_unlock(lock);
}
EXPORT_SYMBOL_GPL(immpc_mutex_set_ceiling);

/* ---- The kernel's half of postponed_ceiling.h --------------------------- */

/* The outermost section's mutex lends the record, because it is likely to be released last. */
static struct plf_task_record *record_for(struct plf_section *newest)
{
	struct plf_task_record *task = plf_task_current();
	struct plf_section *oldest = newest;

	if (task)
		return task;
	while (plf_section_at(oldest->older))
		oldest = plf_section_at(oldest->older);
	task = &mutex_of(oldest)->lent;
	plf_task_adopt(task);
	return task;
}

void plf_settle_pending(void)
{
	struct plf_section *section = plf_section_at(raw_cpu_read(immpc_pending));
	struct plf_task_record *task;

	raw_cpu_write(immpc_pending, 0);
	task = record_for(section);
	for (; section; section = plf_section_at(section->older))
		list_add(&mutex_of(section)->raised, &task->sections);
}

/* ---- In line ------------------------------------------------------------ */

/* By priority, and first come first served among equals. The time grows with the line. */
static void stand_in_line(struct immpc_mutex *lock, struct waiter *waiter)
{
	struct waiter *other;

	list_for_each_entry(other, &lock->wait_list, link)
		if (other->priority < waiter->priority)
			break;
	list_add_tail(&waiter->link, &other->link);
}

/* Take the mutex if it is free; otherwise stand in line. */
static bool take_or_stand(struct immpc_mutex *lock, struct waiter *waiter)
{
	long before = atomic_long_fetch_or_acquire(IMMPC_WAITERS, &lock->owner);
	bool is_free = !names_a_task(before) && list_empty(&lock->wait_list);

	WARN_ON_ONCE((before & ~IMMPC_FLAGS) == (long)current); /* the caller will wait for ever */
	if (is_free)
		atomic_long_set(&lock->owner, (long)current | variant_of(before));
	else
		stand_in_line(lock, waiter);
	return is_free;
}

static void wait_for_turn(struct waiter *waiter)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		if (smp_load_acquire(&waiter->is_granted))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/*
 * Hand the mutex, which names no task, to the first in line. The caller must put the task's
 * reference.
 */
static struct task_struct *grant(struct immpc_mutex *lock, struct waiter *waiter)
{
	struct task_struct *task = get_task_struct(waiter->task);
	long waiters;

	list_del(&waiter->link);
	waiters = list_empty(&lock->wait_list) ? 0 : IMMPC_WAITERS;
	atomic_long_set(&lock->owner,
			(long)task | variant_of(atomic_long_read(&lock->owner)) | waiters);
	smp_store_release(&waiter->is_granted, true); /* from here on `waiter` may be gone */
	return task;
}

void immpc_mutex_wake(struct immpc_mutex *lock)
{
	struct task_struct *next = NULL;
	unsigned long flags;
	long owner;

	raw_spin_lock_irqsave(&lock->wait_lock, flags);
	owner = atomic_long_read(&lock->owner);
	if (!names_a_task(owner)) { /* else a task took it since */
		if (list_empty(&lock->wait_list))
			atomic_long_set_release(&lock->owner, variant_of(owner));
		else
			next = grant(lock, list_first_entry(&lock->wait_list, struct waiter, link));
	}
	raw_spin_unlock_irqrestore(&lock->wait_lock, flags);
	if (next) {
		wake_up_process(next);
		put_task_struct(next);
	}
}
EXPORT_SYMBOL_GPL(immpc_mutex_wake);

/* ---- Slow paths --------------------------------------------------------- */

/* Begin the section: its ceiling counts from now on. */
static void begin(struct immpc_mutex *lock, struct waiter *waiter)
{
	struct plf_task_record *task;

	preempt_disable();
	if (raw_cpu_read(immpc_pending)) { /* a task may have become ready at a pending ceiling */
		plf_settle_pending();
		plf_task_settle(plf_task_current(), PLF_RAISE);
	}
	task = plf_task_current();
	if (!task) {
		task = &waiter->lent;
		plf_task_adopt(task);
	}
	waiter->priority = task->given ? task->before.priority : (int)current->rt_priority;
	task->awaited = (int)READ_ONCE(lock->section.ceiling);
	plf_task_settle(task, PLF_ADJUST);
	preempt_enable();
}

/*
 * The task has the mutex: from now on it counts as a settled section, and may hold the task's
 * record.
 */
static void note(struct immpc_mutex *lock, struct waiter *waiter)
{
	struct plf_task_record *task;

	preempt_disable();
	if (plf_task_current() == &waiter->lent)
		plf_task_move(&waiter->lent, &lock->lent);
	task = plf_task_current();
	task->awaited = 0;
	list_add(&lock->raised, &task->sections);
	plf_task_settle(task, PLF_ADJUST);
	preempt_enable();
}

void immpc_mutex_lock_slow(struct immpc_mutex *lock)
{
	struct waiter waiter = { .task = current };
	bool is_taken;

	might_sleep();
	begin(lock, &waiter);
	raw_spin_lock_irq(&lock->wait_lock);
	is_taken = take_or_stand(lock, &waiter);
	raw_spin_unlock_irq(&lock->wait_lock);
	if (!is_taken)
		wait_for_turn(&waiter);
	note(lock, &waiter);
}
EXPORT_SYMBOL_GPL(immpc_mutex_lock_slow);

/* Unlink a pending section that is not the newest. The time grows with the open sections. */
static bool unlink_pending(struct immpc_mutex *lock)
{
	struct plf_section *section = plf_section_at(raw_cpu_read(immpc_pending));

	for (; section; section = plf_section_at(section->older))
		if (plf_is_newest(&lock->section, section->older)) {
			section->older = plf_unpostpone(&lock->section);
			return true;
		}
	return false;
}

/*
 * Unlink a settled section. If the task's record is in this mutex, move it to another, or to
 * `last`.
 */
static void unlink_settled(struct immpc_mutex *lock, struct plf_task_record *last)
{
	struct plf_task_record *task = plf_task_current();

	list_del(&lock->raised);
	if (task != &lock->lent)
		return;
	if (!list_empty(&task->sections))
		last = &list_first_entry(&task->sections, struct immpc_mutex, raised)->lent;
	plf_task_move(task, last);
}

/* Free the mutex before the priority goes down, so that a task that was kept out finds it free. */
void immpc_mutex_unlock_slow(struct immpc_mutex *lock)
{
	struct plf_task_record *task, last;

	if (WARN_ON_ONCE((atomic_long_read(&lock->owner) & ~IMMPC_FLAGS) != (long)current))
		return;
	if (!unlink_pending(lock))
		unlink_settled(lock, &last);
	if (!atomic_long_sub_and_test((long)current, &lock->owner))
		immpc_mutex_wake(lock);
	task = plf_task_current();
	if (!task)
		return;
	plf_task_settle(task, PLF_ADJUST);
	if (plf_task_is_idle(task))
		plf_task_drop(task);
}
EXPORT_SYMBOL_GPL(immpc_mutex_unlock_slow);
