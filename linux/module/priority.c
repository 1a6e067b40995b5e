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
		.nice = task_nice(current),
		.reset_on_fork = current->sched_reset_on_fork,
		.slice_ns = current->se.custom_slice ? current->se.slice : 0,
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

/*
 * If the task is about to wait for a lock with priority inheritance the change goes
 * along that chain, and interrupts may come back on: put them as they were.
 */
static void apply(const struct sched_attr *attr)
{
	bool were_off = irqs_disabled();

	WARN_ON_ONCE(sched_setattr_nocheck(current, attr));
	if (were_off)
		local_irq_disable();
}

static void set_fifo(int priority)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_FIFO,
		.sched_priority = (u32)priority,
		.sched_flags = current->sched_reset_on_fork ? SCHED_FLAG_RESET_ON_FORK : 0,
	};

	apply(&attr);
}

/*
 * Are others ready at the running task's priority? Its queue is a ring of them and one
 * head. Groups have rings of their own, so with them one never knows.
 */
static bool has_peers(void)
{
	const struct list_head *ring = &current->rt.run_list;

	return IS_ENABLED(CONFIG_RT_GROUP_SCHED) || ring->next != ring->prev;
}

/*
 * A raise puts the task behind the others of its new priority, a lowering before them:
 * so it is raised above them, and lowered again.
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

void plf_priority_restore(const struct plf_before *before)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = before->policy,
		.sched_priority = (u32)before->priority,
		.sched_nice = before->nice,
		.sched_flags = before->reset_on_fork ? SCHED_FLAG_RESET_ON_FORK : 0,
		.sched_runtime = before->slice_ns,
	};

	atomic_long_inc(&plf_priority_restores);
	apply(&attr);
	current->timer_slack_ns = before->timer_slack_ns;
}
