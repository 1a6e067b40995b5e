/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_TASK_H
#define PLAFOND_TASK_H

/*
 * The record that plafond.ko keeps of one task: which ceilings count for it, which priority it was
 * given for them, and its priority before.
 *
 * A task has such a record while it is registered (device.c) or has settled sections
 * (immpc_mutex.c). It hangs on the task's list of preempt notifiers, the one place in
 * task_struct where a module may hang something on; the notifiers' calls are not used.
 *
 * Only the task itself looks at its record, with preemption off: no lock is needed.
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
	struct plf_lazy *words;	   /* registered; NULL: not */
	int base;		   /* priority at registration */
	int limit;		   /* highest to be given for its words */
	int given;		   /* priority now, if we raised it; else 0 */
	struct plf_before before;
};

/* The running task's record, or NULL. */
struct plf_task_record *plf_task_current(void);

/* Does the running task have anything on its list? Cheap, and hardly ever wrong. */
static __always_inline bool plf_task_has_some(void)
{
	return !hlist_empty(&current->preempt_notifiers);
}

/* Make this memory the running task's record, which has none. */
void plf_task_adopt(struct plf_task_record *task);

/* Take the running task's record off: nothing counts any more. Restores its priority. */
void plf_task_drop(struct plf_task_record *task);

/* Go on with the record at another place. */
void plf_task_move(struct plf_task_record *from, struct plf_task_record *to);

/* Nothing keeps the record: not registered, in no settled section, in no line. */
bool plf_task_is_idle(const struct plf_task_record *task);

/*
 * Give the running task the priority that its ceilings ask for.
 * PLF_RAISE, when it may lose the CPU: up only, and before all others of that priority.
 * PLF_ADJUST: up or down.
 */
enum plf_way { PLF_RAISE, PLF_ADJUST };
void plf_task_settle(struct plf_task_record *task, enum plf_way way);

#endif
