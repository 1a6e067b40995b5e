/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_TASK_H
#define PLAFOND_TASK_H

/*
 * The record that plafond.ko keeps of a task: the ceilings that count for it, the priority that it
 * was given for them, and its priority before.
 *
 * A task has such a record while it is registered (device.c) or has settled sections
 * (immpc_mutex.c). The record hangs on the task's list of preempt notifiers, because a module can
 * hang something only there in task_struct. The notifiers' calls are not used. Only the task itself
 * looks at its record, with preemption off, so no lock is needed.
 */
#include "lazy_ceiling.h"

#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#ifndef CONFIG_PREEMPT_NOTIFIERS
#error "plafond.ko needs a kernel with CONFIG_PREEMPT_NOTIFIERS (KVM, built in or as a module)"
#endif

/* The state to go back to. */
struct plf_before {
	unsigned int policy;
	int priority; /* 0: not a real-time policy */
	u64 timer_slack_ns;
};

struct plf_task_record {
	struct preempt_notifier notifier;
	struct list_head sections; /* settled: struct immpc_mutex */
	int awaited;		   /* ceiling of the mutex for which it is in line; 0: none */
	struct plf_lazy *words;	   /* NULL: not registered */
	int base;		   /* priority at registration */
	int limit;		   /* highest priority to be given for its words */
	int given;		   /* priority given now; 0: not raised */
	struct plf_before before;
};

/* The running task's record, or NULL. */
struct plf_task_record *plf_task_current(void);

/* Is anything on the running task's list? Cheap, and hardly ever wrong. */
static __always_inline bool plf_task_has_some(void)
{
	return !hlist_empty(&current->preempt_notifiers);
}

/* Make this memory the running task's record. The task must have none. */
void plf_task_adopt(struct plf_task_record *task);

/* Remove the running task's record, so that nothing counts any more. Restores its priority. */
void plf_task_drop(struct plf_task_record *task);

/* Move the record to another place. */
void plf_task_move(struct plf_task_record *from, struct plf_task_record *to);

/*
 * Nothing needs the record: the task is not registered, has no settled section, and is in no line.
 */
bool plf_task_is_idle(const struct plf_task_record *task);

/*
 * Give the running task the priority that its ceilings require. PLF_RAISE, when it may lose the
 * CPU: only upwards, and before all other tasks of that priority. PLF_ADJUST: up or down.
 */
enum plf_way { PLF_RAISE, PLF_ADJUST };
void plf_task_settle(struct plf_task_record *task, enum plf_way way);

#endif
