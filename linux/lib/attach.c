/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "attach.h"
#include "cpu.h"
#include "effective.h"
#include "global.h"
#include "keeper.h"
#include "locked_memory.h"
#include "robust_list.h"
#include "server_manager.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BACKEND_FLAGS = PLF_BACKEND_USER | PLF_BACKEND_SYSCALL | PLF_BACKEND_MODULE,
	KNOWN_FLAGS = PLF_STRICT | BACKEND_FLAGS,
};

static pthread_key_t exit_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_error;

/* The best keeper first. */
static const struct plf_keeper *const keepers[] = { &plf_claims, &plf_frames, &plf_eager };
enum { KEEPERS = sizeof(keepers) / sizeof(keepers[0]) };

/*
 * Find the keeper that the caller asks for; NULL: any keeper. EINVAL: the request names no keeper.
 */
static int find_wanted(unsigned flags, const struct plf_keeper **wanted)
{
	unsigned flag = flags & BACKEND_FLAGS;
	const char *name = getenv("PLAFOND_BACKEND");

	*wanted = NULL;
	if (flag == 0 && name == NULL)
		return 0;
	for (size_t i = 0; i < KEEPERS; i++)
		if (flag != 0 ? keepers[i]->flag == flag : strcmp(name, keepers[i]->name) == 0)
			*wanted = keepers[i];
	return *wanted == NULL ? EINVAL : 0;
}

static bool is_there(const struct plf_keeper *keeper)
{
	return keeper->is_there == NULL || keeper->is_there();
}

/* The keeper in use, or else the best keeper that this machine has. */
static const struct plf_keeper *own_choice(void)
{
	const struct plf_keeper *keeper = plf_keeper_in_use();

	for (size_t i = 0; keeper == NULL; i++)
		if (is_there(keepers[i]))
			keeper = keepers[i];
	return keeper;
}

static int choose_keeper(unsigned flags, const struct plf_keeper **keeper)
{
	int error = find_wanted(flags, keeper);

	if (error != 0)
		return error;
	plf_registry_lock();
	if (*keeper == NULL)
		*keeper = own_choice();
	else if (!is_there(*keeper))
		error = ENODEV;
	plf_registry_unlock();
	return error;
}

/* Strict needs a priority at which no section is suspended. */
static bool may_be_strict(const struct plf_keeper *keeper, int priority)
{
	return priority > 0 && priority <= keeper->strict_max;
}

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

bool plf_is_deadline(void)
{
	return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE;
}

static int set_policy(int priority, int *kept_flags)
{
	struct sched_param param = { .sched_priority = priority };
	int now = sched_getscheduler(0);

	*kept_flags = now < 0 ? 0 : now & SCHED_RESET_ON_FORK;
	return pthread_setschedparam(
		pthread_self(), (priority > 0 ? SCHED_FIFO : SCHED_OTHER) | *kept_flags, &param);
}

/* Release the resources of unused keepers, so that plafond.ko may be unloaded. */
static void rest_unused(void)
{
	for (size_t i = 0; i < KEEPERS; i++)
		if (keepers[i]->rest != NULL && keepers[i] != plf_keeper_in_use())
			keepers[i]->rest();
}

static void release(struct plf_slot *slot)
{
	plf_server_leave(slot);
	plf_registry_lock();
	plf_slot_release(slot);
	rest_unused();
	plf_registry_unlock();
}

static void leave_arena(struct plf_thread *t)
{
	const struct plf_keeper *keeper = plf_slot_of(t)->keeper;

	plf_self = &plf_unattached.thread;
	if (keeper->part != NULL)
		keeper->part();
	pthread_setspecific(exit_key, NULL);
	plf_robust_list_leave(t);
	release(plf_slot_of(t));
}

/*
 * The thread ends. Close the sections that it left open, in order, as the thread would have done.
 * The locks still name its frames, and so report the death to their next lockers. If a frame above
 * never goes, the thread ends all the same: the kernel clears its gates, and each waiter finds that
 * out.
 */
static void abandon(void *thread)
{
	struct plf_thread *t = thread;

	plf_global_abandon(t);
	if (plf_is_inside(t))
		plf_slot_disown(plf_slot_of(t));
	while (plf_is_inside(t))
		if (plf_slot_of(t)->keeper->leave(t) != 0)
			return;
	plf_set_effective(plf_slot_of(t), plf_slot_of(t)->priority); /* leave the band (global.c) */
	leave_arena(t);
}

static void before_fork(void)
{
	plf_registry_lock();
}

static void after_fork_in_parent(void)
{
	plf_registry_unlock();
}

/* In the child, the C library's robust list is empty, and the TID is new. */
static void after_fork_in_child(void)
{
	struct plf_thread *t = plf_is_attached(plf_self) ? plf_self : NULL;

	if (t != NULL)
		plf_robust_list_join(t);
	if (plf_arena != NULL)
		plf_arena_after_fork(t == NULL ? NULL : plf_slot_of(t), (uint32_t)gettid());
	plf_servers_after_fork();
	if (t != NULL)
		plf_global_after_fork(t);
	if (t != NULL && plf_slot_of(t)->keeper->after_fork != NULL)
		plf_slot_of(t)->keeper->after_fork(t);
	rest_unused();
	plf_registry_unlock();
}

static void set_up_process(void)
{
	once_error = pthread_key_create(&exit_key, abandon);
	if (once_error == 0)
		once_error = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* Set the policy before the keeper joins, because the keeper starts from it. */
static int take_priority(struct plf_slot *slot, int priority)
{
	struct sched_param param;
	int policy;
	int error = pthread_getschedparam(pthread_self(), &policy, &param);

	if (error == 0)
		error = set_policy(priority, &slot->policy_flags);
	if (error != 0)
		return error;
	error = slot->keeper->join(&slot->thread);
	if (error != 0)
		pthread_setschedparam(pthread_self(), policy | slot->policy_flags, &param);
	return error;
}

/* Pin and raise the thread, and have its end reported. On failure, undo the changes. */
static int settle(struct plf_slot *slot, int priority, int cpu, bool must_pin)
{
	cpu_set_t before;
	int error = pthread_getaffinity_np(pthread_self(), sizeof(before), &before);

	if (error == 0 && must_pin)
		error = pin(cpu);
	if (error != 0)
		return error;
	error = pthread_setspecific(exit_key, &slot->thread);
	if (error == 0)
		error = take_priority(slot, priority);
	if (error == 0)
		return 0;
	pthread_setspecific(exit_key, NULL);
	if (must_pin)
		pthread_setaffinity_np(pthread_self(), sizeof(before), &before);
	return error;
}

int plf_set_up_process(void)
{
	pthread_once(&once, set_up_process);
	return once_error;
}

int plf_move_in(struct plf_slot *slot, int priority, int cpu, bool must_pin)
{
	int error = settle(slot, priority, cpu, must_pin);

	if (error != 0) {
		release(slot);
		return error;
	}
	if (slot->keeper->needs_cpu && slot->supply == NULL &&
	    __rseq_size != 0) /* else (emulators) affinity is trusted from here */
		slot->thread.cpu_now = &plf_rseq_area()->cpu_id;
	plf_robust_list_join(&slot->thread);
	plf_self = &slot->thread;
	error = plf_wake_hook();
	if (error != 0)
		plf_detach();
	return error;
}

int plf_attach(int priority, int cpu, unsigned flags)
{
	enum plf_strength strength = flags & PLF_STRICT ? PLF_STRENGTH_STRICT : PLF_STRENGTH_ROBUST;
	const struct plf_keeper *keeper;
	bool must_pin = cpu != PLF_CPU_PINNED;
	struct plf_slot *slot;
	int error;

	if (plf_is_attached(plf_self))
		return EALREADY;
	if ((flags & ~(unsigned)KNOWN_FLAGS) != 0 || priority < 0 || priority > PLF_PRIORITY_MAX ||
	    cpu < PLF_CPU_PINNED || cpu >= PLF_CPU_MAX)
		return EINVAL;
	error = choose_keeper(flags, &keeper);
	if (error != 0)
		return error;
	if (strength == PLF_STRENGTH_STRICT && !may_be_strict(keeper, priority))
		return EINVAL;
	if (plf_is_deadline())
		return ENOTSUP;
	if (!must_pin)
		cpu = plf_pinned_cpu();
	if (cpu < 0 && keeper->needs_cpu)
		return EINVAL;
	if (strength == PLF_STRENGTH_STRICT && !plf_memory_is_locked())
		return ENOLCK;
	error = plf_set_up_process();
	if (error == 0)
		error = plf_slot_claim(keeper, cpu, priority, strength, (uint32_t)gettid(), &slot);
	if (error == 0)
		error = plf_move_in(slot, priority, cpu, must_pin);
	return error;
}

int plf_detach(void)
{
	struct plf_thread *t = plf_self;

	if (!plf_is_attached(t))
		return EPERM;
	if (plf_is_inside(t))
		return EBUSY;
	leave_arena(t);
	return 0;
}

const char *plf_backend(void)
{
	const struct plf_keeper *keeper;

	plf_registry_lock();
	keeper = plf_keeper_in_use();
	plf_registry_unlock();
	return keeper == NULL ? "none" : keeper->name;
}

int plf_get_stats(struct plf_stats *stats)
{
	if (!plf_is_attached(plf_self))
		return EPERM;
	*stats = plf_slot_of(plf_self)->stats;
	return 0;
}
