// SPDX-License-Identifier: GPL-2.0
#include "priority.h"

#include <linux/irqflags.h>
#include <linux/sched/deadline.h>
#include <linux/sched/prio.h>
#include <linux/sched/rt.h>
#include <uapi/linux/sched/types.h>

atomic_long_t plf_priority_raises, plf_priority_restores;

void plf_priority_save(struct plf_before *before)
{
	*before = (struct plf_before) {
		.policy = current->policy,
		.priority = (int)current->rt_priority,
		.timer_slack_ns = current->timer_slack_ns,
	};
}

bool plf_priority_is(int given)
{
	return current->policy == SCHED_FIFO && (int)current->rt_priority == given;
}

bool plf_may_raise(const struct plf_before *before)
{
	return before->policy != SCHED_DEADLINE;
}

#ifdef CONFIG_PREEMPT_RT

/*
 * The kernel changes no priority inside an interrupt, and takes a task with disabled softirqs for
 * an interrupt. But on PREEMPT_RT such a task can be preempted, and so may come here. The count is
 * the task's own; other code looks at the CPU's count.
 */
static int leave_softirq(void)
{
	int count = current->softirq_disable_cnt;

	current->softirq_disable_cnt = 0;
	return count;
}

static void enter_softirq(int count)
{
	current->softirq_disable_cnt = count;
}

#else /* such a task cannot be preempted */

static int leave_softirq(void)
{
	return 0;
}

static void enter_softirq(int count)
{
}

#endif

/*
 * If the task is about to wait for a lock with priority inheritance, the change goes along that
 * chain, and interrupts may come back on. So restore the interrupt state.
 */
static void apply(const struct sched_attr *attr)
{
	bool were_off = irqs_disabled();
	int count = leave_softirq();

	WARN_ON_ONCE(sched_setattr_nocheck(current, attr));
	enter_softirq(count);
	if (were_off)
		local_irq_disable();
}

static u64 kept_flags(void)
{
	return current->sched_reset_on_fork ? SCHED_FLAG_RESET_ON_FORK : 0;
}

static void set_fifo(int priority)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_FIFO,
		.sched_priority = (u32)priority,
		.sched_flags = kept_flags(),
	};

	apply(&attr);
}

/*
 * Are other tasks ready at the running task's priority? Its queue is a ring of these tasks and a
 * head. Groups have rings of their own, so with groups the answer is not known.
 */
static bool has_peers(void)
{
	const struct list_head *ring = &current->rt.run_list;

	return IS_ENABLED(CONFIG_RT_GROUP_SCHED) || ring->next != ring->prev;
}

/*
 * A raise puts the task behind the other tasks of its new priority; a lowering puts it before them.
 * So raise it above them, and lower it again.
 */
void plf_priority_set(int priority, bool first)
{
	atomic_long_inc(&plf_priority_raises);
	set_fifo(priority);
	if (!first || priority == MAX_RT_PRIO - 1 || !has_peers())
		return;
	set_fifo(priority + 1);
	set_fifo(priority);
}

/* The nice value and the time slice stay unused while the task is SCHED_FIFO. */
void plf_priority_restore(const struct plf_before *before)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = before->policy,
		.sched_priority = (u32)before->priority,
		.sched_nice = task_nice(current),
		.sched_flags = kept_flags(),
		.sched_runtime = current->se.custom_slice ? current->se.slice : 0,
	};

	atomic_long_inc(&plf_priority_restores);
	apply(&attr);
	current->timer_slack_ns = before->timer_slack_ns;
}
