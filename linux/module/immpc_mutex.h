/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IMMPC_MUTEX_H
#define IMMPC_MUTEX_H

/*
 * A kernel mutex under the immediate priority ceiling protocol, for drivers.
 *
 * Source: Carminati, Oliveira, Friedrich, OSPERT 2010 (eager: a priority change at each lock and
 * unlock) and 2012 (the default: postponed until the owner may lose the CPU). Names and arguments
 * are the papers'. Priorities are of SCHED_FIFO, 1 to 98; larger is more urgent.
 *
 * On one CPU, a task that keeps the rule (its priority is not above the ceiling) never waits in
 * immpc_mutex_lock(), unless an owner slept in its section. On several CPUs, or after such a sleep,
 * it waits in line: by priority, and first come first served among equals. Unlock hands the mutex
 * to the first in line, so a later task cannot steal it.
 *
 * Call from task context only. Sections may nest and end in any order. The mutex is not recursive.
 * As with mutex_unlock(), unlock may look at the mutex after another CPU has it. So a task that
 * frees the mutex's memory must make sure that no unlock is under way. A place in line goes by the
 * priority at the request, even if that priority changes during the wait.
 */
#include "postponed_ceiling.h"
#include "task.h"

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#define IMMPC_CEILING_MAX 98

/* Flags beside the owner's address. */
#define IMMPC_WAITERS 1L /* a task is in line, or about to be */
#define IMMPC_EAGER   2L /* the fast path fails, because each lock changes the priority */
#define IMMPC_FRESH   4L /* the first lock decides, by the module's parameter */
#define IMMPC_FLAGS   (IMMPC_WAITERS | IMMPC_EAGER | IMMPC_FRESH)

struct immpc_mutex {
	struct plf_section section;
	atomic_long_t owner;	     /* address of the task, and flags; 0: free */
	struct list_head raised;     /* in its owner's plf_task_record, once settled */
	struct plf_task_record lent; /* the owner's record, if this mutex lends it */
	raw_spinlock_t wait_lock;
	struct list_head wait_list; /* by priority */
};

/* For each CPU, the head of the list of postponed_ceiling.h. */
DECLARE_PER_CPU(u64, immpc_pending);

void immpc_mutex_lock_slow(struct immpc_mutex *lock);
/* Call these with preemption off. */
void immpc_mutex_unlock_slow(struct immpc_mutex *lock);
void immpc_mutex_wake(struct immpc_mutex *lock);

/* Stops the compilation if the ceiling is out of range. */
#define IMMPC_CEILING(priority)                                                                    \
	((priority) + BUILD_BUG_ON_ZERO((priority) < 1 || (priority) > IMMPC_CEILING_MAX))

#define DEFINE_IMMPC_MUTEX(mutexname, priority)                                                    \
	struct immpc_mutex mutexname = {                                                           \
		.section = { .ceiling = IMMPC_CEILING(priority) },                                 \
		.owner = ATOMIC_LONG_INIT(IMMPC_FRESH),                                            \
		.wait_lock = __RAW_SPIN_LOCK_UNLOCKED(mutexname.wait_lock),                        \
		.wait_list = LIST_HEAD_INIT(mutexname.wait_list),                                  \
	}

/* A ceiling outside 1 to 98 is reported in the kernel's log, and limited to that range. */
void immpc_mutex_init(struct immpc_mutex *lock, int prio);

/*
 * Change the ceiling of a free mutex. While the mutex is held, the call waits (for ever, if the
 * caller holds it). Ceilings as in immpc_mutex_init(). A task that is already in line keeps the old
 * ceiling until its turn.
 */
void immpc_mutex_set_ceiling(struct immpc_mutex *lock, int newceiling);

/*
 * Not in the papers. Choose this mutex's variant, instead of the module's parameter `eager`, before
 * use.
 */
void immpc_mutex_set_eager(struct immpc_mutex *lock, bool eager);

static inline void immpc_mutex_lock(struct immpc_mutex *lock)
{
	long owner = 0;

	preempt_disable();
	if (unlikely(!atomic_long_try_cmpxchg_acquire(&lock->owner, &owner, (long)current))) {
		preempt_enable();
		immpc_mutex_lock_slow(lock);
		return;
	}
	raw_cpu_write(immpc_pending, plf_postpone(&lock->section, raw_cpu_read(immpc_pending)));
	preempt_enable();
}

static inline void immpc_mutex_unlock(struct immpc_mutex *lock)
{
	preempt_disable();
	if (unlikely(!plf_is_newest(&lock->section, raw_cpu_read(immpc_pending)))) {
		immpc_mutex_unlock_slow(lock);
		preempt_enable();
		return;
	}
	raw_cpu_write(immpc_pending, plf_unpostpone(&lock->section));
	if (unlikely(!atomic_long_sub_and_test((long)current, &lock->owner)))
		immpc_mutex_wake(lock);
	preempt_enable();
}

#endif
