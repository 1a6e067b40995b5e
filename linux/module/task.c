// SPDX-License-Identifier: GPL-2.0
#include "task.h"

#include "immpc_mutex.h"
#include "priority.h"

#include <linux/cred.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

/* A hypervisor may switch the notifiers on for all tasks. Nothing is to be done then. */
static void on_sched_in(struct preempt_notifier *notifier, int cpu)
{
}

static void on_sched_out(struct preempt_notifier *notifier, struct task_struct *next)
{
}

static struct preempt_ops ours = {
	.sched_in = on_sched_in,
	.sched_out = on_sched_out,
};

struct plf_task_record *plf_task_current(void)
{
	struct preempt_notifier *notifier;

	hlist_for_each_entry(notifier, &current->preempt_notifiers, link)
		if (notifier->ops == &ours)
			return container_of(notifier, struct plf_task_record, notifier);
	return NULL;
}

void plf_task_adopt(struct plf_task_record *task)
{
	*task = (struct plf_task_record) {};
	INIT_LIST_HEAD(&task->sections);
	preempt_notifier_init(&task->notifier, &ours);
	hlist_add_head(&task->notifier.link, &current->preempt_notifiers);
}

void plf_task_drop(struct plf_task_record *task)
{
	task->words = NULL;
	plf_task_settle(task, PLF_ADJUST);
	hlist_del(&task->notifier.link);
}

void plf_task_move(struct plf_task_record *from, struct plf_task_record *to)
{
	hlist_del(&from->notifier.link);
	*to = *from;
	INIT_LIST_HEAD(&to->sections);
	list_splice(&from->sections, &to->sections);
	hlist_add_head(&to->notifier.link, &current->preempt_notifiers);
}

bool plf_task_is_idle(const struct plf_task_record *task)
{
	return !task->words && !task->awaited && list_empty(&task->sections);
}

/* The privilege as it is now, without an audit record. */
static bool is_privileged(void)
{
	return current_user_ns() == &init_user_ns &&
	       cap_raised(current_cred()->cap_effective, CAP_SYS_NICE);
}

static int limit_of(const struct plf_task_record *task)
{
	if (is_privileged())
		return task->limit;
	return (int)min_t(unsigned long, task->limit, rlimit(RLIMIT_RTPRIO));
}

/* The words may hold anything, so limit their effect here. */
static int claimed(const struct plf_task_record *task)
{
	int wanted = task->words ? (int)plf_lazy_decide(task->words) : 0;

	return wanted == 0 ? 0 : min(task->base + wanted - 1, limit_of(task));
}

/* The highest ceiling that counts; 0: none. The time grows with the open sections. */
static int ceiling_of(const struct plf_task_record *task)
{
	const struct immpc_mutex *lock;
	int ceiling = max(task->awaited, claimed(task));

	list_for_each_entry(lock, &task->sections, raised)
		ceiling = max(ceiling, (int)lock->section.ceiling);
	return ceiling;
}

/* `given` may equal the base, for a task under SCHED_RR. */
static void publish(struct plf_task_record *task)
{
	int excess = task->given - task->base;

	if (task->words)
		plf_lazy_report(task->words, task->given && excess >= 0 ? excess + 1 : 0);
}

/*
 * Another thread changed the priority that was given. That priority is the task's own from now on,
 * if the task might have it by itself. Otherwise a thread could have itself lowered by another
 * thread, which takes no privilege, to just below its raised priority, and keep that.
 */
static bool is_taken_over(const struct plf_task_record *task)
{
	if (!task->given || plf_priority_is(task->given))
		return false;
	return is_privileged() || (int)current->rt_priority <= task->before.priority ||
	       current->rt_priority <= rlimit(RLIMIT_RTPRIO);
}

/* Under SCHED_RR, equals would take turns with the task. */
static bool is_above(int ceiling, const struct plf_before *before)
{
	return ceiling > before->priority ||
	       (ceiling == before->priority && before->policy == SCHED_RR);
}

void plf_task_settle(struct plf_task_record *task, enum plf_way way)
{
	int ceiling = ceiling_of(task);

	if (is_taken_over(task)) {
		task->given = 0;
		publish(task);
	}
	if (ceiling == task->given || (ceiling < task->given && way == PLF_RAISE))
		return;
	if (!task->given)
		plf_priority_save(&task->before);
	if (ceiling && is_above(ceiling, &task->before) && plf_may_raise(&task->before)) {
		if (ceiling != task->given)
			plf_priority_set(ceiling, way == PLF_RAISE);
		task->given = ceiling;
	} else if (task->given) {
		plf_priority_restore(&task->before);
		task->given = 0;
	}
	publish(task);
}
