// SPDX-License-Identifier: GPL-2.0

/*
 * The hook at the entry of __schedule(). There, the task that may lose the CPU is still running,
 * and can raise itself before the next task is picked. So its sections are never left below their
 * ceilings.
 *
 *   sched_entry_tp   7.x: the first action there. Task context, preemption off, no lock held.
 *   rcu_utilization  6.12: with the text "Start context switch". The same, but with interrupts off.
 *                    Other texts come from other places.
 *
 * Not all kernels declare these to modules, so they are found by name.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "hook.h"

#include "device.h"
#include "immpc_mutex.h"
#include "task.h"

#include <linux/string.h>
#include <linux/tracepoint.h>

/* The cost for most tasks at each __schedule(): two loads and two comparisons. */
static __always_inline bool is_involved(void)
{
	return unlikely(raw_cpu_read(immpc_pending) || plf_task_has_some());
}

static noinline void settle(void)
{
	struct plf_task_record *task;

	if (raw_cpu_read(immpc_pending))
		plf_settle_pending();
	task = plf_task_current();
	if (task)
		plf_task_settle(task, PLF_RAISE);
}

static void on_sched_entry(void *data, bool preempt)
{
	if (is_involved())
		settle();
}

/* The kernel's copy of the text always has the same address. */
static bool is_entry(const char *text)
{
	static const char *entry;

	if (!entry && !strcmp(text, "Start context switch"))
		WRITE_ONCE(entry, text);
	return text == entry;
}

/* Not inlined, like settle(), so that tasks that are not involved do not pay for its set-up. */
static noinline void settle_at(const char *text)
{
	if (is_entry(text) && !in_hardirq())
		settle();
}

static void on_rcu_utilization(void *data, const char *text)
{
	if (is_involved())
		settle_at(text);
}

/* Some kernels call this with preemption on. */
static void on_exit_or_exec(void *data, struct task_struct *p)
{
	preempt_disable();
	if (p == current)
		plf_device_forget();
	preempt_enable();
}

struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint; /* NULL: this kernel has no such tracepoint */
	bool is_attached;
};

enum hook_index { SCHED_ENTRY, RCU_UTILIZATION, PROCESS_EXIT, PROCESS_EXEC, HOOKS };

static struct hook hooks[HOOKS] = {
	[SCHED_ENTRY] = { "sched_entry_tp", on_sched_entry },
	[RCU_UTILIZATION] = { "rcu_utilization", on_rcu_utilization },
	[PROCESS_EXIT] = { "sched_process_exit", on_exit_or_exec },
	[PROCESS_EXEC] = { "sched_process_exec", on_exit_or_exec },
};

static void find(struct tracepoint *tracepoint, void *data)
{
	for (int i = 0; i < HOOKS; i++)
		if (!strcmp(tracepoint->name, hooks[i].name))
			hooks[i].tracepoint = tracepoint;
}

static int attach(struct hook *hook)
{
	int error = -ENODEV;

	if (hook->tracepoint)
		error = tracepoint_probe_register(hook->tracepoint, hook->probe, NULL);
	if (error)
		pr_err("tracepoint %s cannot be used: error %d\n", hook->name, error);
	hook->is_attached = !error;
	return error;
}

int plf_hook_init(void)
{
	enum hook_index scheduler = RCU_UTILIZATION;
	int error;

	for_each_kernel_tracepoint(find, NULL);
	if (hooks[SCHED_ENTRY].tracepoint)
		scheduler = SCHED_ENTRY;
	else if (!hooks[RCU_UTILIZATION].tracepoint) {
		pr_err("this kernel has no hook at the entry of its scheduler: "
		       "neither tracepoint sched_entry_tp nor rcu_utilization\n");
		return -ENODEV;
	}
	error = attach(&hooks[PROCESS_EXIT]);
	if (!error)
		error = attach(&hooks[PROCESS_EXEC]);
	if (!error)
		error = attach(&hooks[scheduler]);
	if (error)
		plf_hook_exit();
	return error;
}

void plf_hook_exit(void)
{
	for (int i = 0; i < HOOKS; i++)
		if (hooks[i].is_attached)
			tracepoint_probe_unregister(hooks[i].tracepoint, hooks[i].probe, NULL);
	tracepoint_synchronize_unregister();
}
