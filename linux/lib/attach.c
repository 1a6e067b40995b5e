/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "arena.h"
#include "device.h"
#include "gate.h"
#include "locked_memory.h"
#include "mutex.h"
#include "robust_list.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/rseq.h>
#include <unistd.h>

enum {
	BACKEND_FLAGS = PLF_BACKEND_USER | PLF_BACKEND_SYSCALL | PLF_BACKEND_MODULE,
	KNOWN_FLAGS = PLF_STRICT | BACKEND_FLAGS,
};

static pthread_key_t exit_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_error;

/* The backend of that name; PLF_BACKENDS: there is none. */
static enum plf_backend named_backend(const char *name)
{
	enum plf_backend backend = PLF_USER;

	while (backend < PLF_BACKENDS && strcmp(name, plf_backend_names[backend]) != 0)
		backend++;
	return backend;
}

/* PLF_NONE: no request asks for one; PLF_BACKENDS: the request is not one of ours. */
static enum plf_backend wanted_backend(unsigned flags)
{
	const char *name = getenv("PLAFOND_BACKEND");

	switch (flags & BACKEND_FLAGS) {
	case PLF_BACKEND_USER:
		return PLF_USER;
	case PLF_BACKEND_SYSCALL:
		return PLF_SYSCALL;
	case PLF_BACKEND_MODULE:
		return PLF_MODULE;
	case 0:
		return name == NULL ? PLF_NONE : named_backend(name);
	default:
		return PLF_BACKENDS;
	}
}

/* The one in use, else the best that this machine has. */
static enum plf_backend own_choice(void)
{
	enum plf_backend backend = plf_backend_in_use();

	if (backend == PLF_NONE)
		backend = plf_device_is_there() ? PLF_MODULE : PLF_USER;
	return backend;
}

static int choose_backend(unsigned flags, enum plf_backend *backend)
{
	int error = 0;

	*backend = wanted_backend(flags);
	if (*backend == PLF_BACKENDS)
		return EINVAL;
	plf_registry_lock();
	if (*backend == PLF_NONE)
		*backend = own_choice();
	else if (*backend == PLF_MODULE && !plf_device_is_there())
		error = ENODEV;
	plf_registry_unlock();
	return error;
}

/* Strict only on the conditions that keep a section from being suspended. */
static bool may_be_strict(enum plf_backend backend, int priority)
{
	if (backend == PLF_MODULE && priority == PLF_PRIORITY_MAX)
		return false;
	return backend != PLF_SYSCALL && priority > 0;
}

/*
 * The word in which the kernel shows the caller's CPU: one load in the wake
 * hook. Where there is none (emulators), affinity is trusted after attach.
 */
static const uint32_t *cpu_word(const struct plf_thread *t)
{
	const struct rseq *rseq;

	if (__rseq_size == 0)
		return &t->cpu;
	rseq = (const struct rseq *)((uintptr_t)__builtin_thread_pointer() +
				     (uintptr_t)__rseq_offset);
	return &rseq->cpu_id;
}

/* The one CPU the caller is pinned to, or -1. */
static int pinned_cpu(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) != 1)
		return -1;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			return (int)cpu;
	return -1;
}

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static bool is_deadline(void)
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

/* No thread needs the device any more: plafond.ko may be unloaded. */
static void close_unused_device(void)
{
	if (plf_backend_in_use() != PLF_MODULE)
		plf_device_close();
}

static void release(struct plf_slot *slot)
{
	plf_registry_lock();
	plf_slot_release(slot);
	close_unused_device();
	plf_registry_unlock();
}

static void leave_arena(struct plf_thread *t)
{
	plf_self = &plf_unattached.thread;
	if (plf_slot_of(t)->backend == PLF_MODULE)
		plf_module_part();
	pthread_setspecific(exit_key, NULL);
	plf_robust_list_leave(t);
	release(plf_slot_of(t));
}

/*
 * The thread ends. Sections that it left open are closed in order, as it would
 * have; the locks go on naming its frames, and so report the death to their next lockers. If a
 * frame above would never go, the thread ends all the same: the kernel clears
 * its gates, and each waiter finds that out.
 */
static void abandon(void *thread)
{
	struct plf_thread *t = thread;

	if (plf_is_inside(t))
		plf_slot_disown(plf_slot_of(t));
	while (plf_is_inside(t))
		if (plf_leave_last(t) != 0)
			return;
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

/* The C library gave the child an empty robust list, and the kernel a new TID. */
static void after_fork_in_child(void)
{
	struct plf_thread *t = plf_is_attached(plf_self) ? plf_self : NULL;

	if (t != NULL)
		plf_robust_list_join(t);
	if (plf_arena != NULL)
		plf_arena_after_fork(t == NULL ? NULL : plf_slot_of(t), (uint32_t)gettid());
	if (t != NULL && plf_slot_of(t)->backend == PLF_MODULE)
		plf_module_after_fork(t);
	close_unused_device();
	plf_registry_unlock();
}

static void set_up_process(void)
{
	once_error = pthread_key_create(&exit_key, abandon);
	if (once_error == 0)
		once_error = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static int claim(enum plf_backend backend, int cpu, enum plf_strength strength,
		 struct plf_slot **slot)
{
	int error;

	plf_registry_lock();
	error = plf_arena_map();
	if (error == 0 && backend == PLF_MODULE)
		error = plf_device_open();
	if (error == 0)
		error = plf_slot_claim(backend, cpu, strength, slot);
	close_unused_device();
	plf_registry_unlock();
	return error;
}

/* The policy, and the kernel module, whose base it is. */
static int take_priority(struct plf_slot *slot, int priority)
{
	struct sched_param param;
	int policy;
	int error = pthread_getschedparam(pthread_self(), &policy, &param);

	if (error == 0)
		error = set_policy(priority, &slot->policy_flags);
	if (error != 0 || slot->backend != PLF_MODULE)
		return error;
	error = plf_module_join(&slot->thread);
	if (error != 0)
		pthread_setschedparam(pthread_self(), policy | slot->policy_flags, &param);
	return error;
}

/* Pin, raise, and be found at exit. Changes are undone on failure. */
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

int plf_attach(int priority, int cpu, unsigned flags)
{
	enum plf_strength strength = flags & PLF_STRICT ? PLF_STRENGTH_STRICT : PLF_STRENGTH_ROBUST;
	enum plf_backend backend;
	bool must_pin = cpu != PLF_CPU_PINNED;
	struct plf_slot *slot;
	int error;

	if (plf_is_attached(plf_self))
		return EALREADY;
	if ((flags & ~(unsigned)KNOWN_FLAGS) != 0 || priority < 0 || priority > PLF_PRIORITY_MAX ||
	    cpu < PLF_CPU_PINNED || cpu >= PLF_CPU_MAX)
		return EINVAL;
	error = choose_backend(flags, &backend);
	if (error != 0)
		return error;
	if (strength == PLF_STRENGTH_STRICT && !may_be_strict(backend, priority))
		return EINVAL;
	if (is_deadline())
		return ENOTSUP;
	if (!must_pin)
		cpu = pinned_cpu();
	if (cpu < 0 && backend != PLF_SYSCALL)
		return EINVAL;
	if (strength == PLF_STRENGTH_STRICT && !plf_memory_is_locked())
		return ENOLCK;
	pthread_once(&once, set_up_process);
	error = once_error != 0 ? once_error : claim(backend, cpu, strength, &slot);
	if (error != 0)
		return error;
	plf_slot_prepare(plf_arena, slot, backend, cpu, priority, strength, (uint32_t)gettid());
	error = settle(slot, priority, cpu, must_pin);
	if (error != 0) {
		release(slot);
		return error;
	}
	if (backend != PLF_SYSCALL)
		slot->thread.cpu_now = cpu_word(&slot->thread);
	plf_robust_list_join(&slot->thread);
	plf_self = &slot->thread;
	error = plf_wake_hook();
	if (error != 0)
		plf_detach();
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
	enum plf_backend backend;

	plf_registry_lock();
	backend = plf_backend_in_use();
	plf_registry_unlock();
	return plf_backend_names[backend];
}

int plf_get_stats(struct plf_stats *stats)
{
	if (!plf_is_attached(plf_self))
		return EPERM;
	*stats = plf_slot_of(plf_self)->stats;
	return 0;
}
