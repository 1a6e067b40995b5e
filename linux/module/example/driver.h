/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IMMPC_EXAMPLE_DRIVER_H
#define IMMPC_EXAMPLE_DRIVER_H

/* The state of an open file. immpc_driver.h describes its calls. */
#include "immpc_driver.h"
#include "immpc_mutex.h"

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/mutex.h>
#include <linux/rtmutex.h>
#include <linux/xarray.h>

struct resource_lock {
	enum immpc_kind kind;
	int ceiling;
	union {
		struct rt_mutex rt_mutex;
		struct immpc_mutex immpc_mutex;
	};
	/*
	 * Resources that some section locks while this resource, or a resource in this set, is
	 * held.
	 */
	DECLARE_BITMAP(inside, IMMPC_RESOURCES_MAX);
};

struct section_step {
	enum immpc_step_kind kind;
	struct resource_lock *resource;
	s64 work_ns;
};

/*
 * Steps and limits do not change after the section is made. The rest belongs to the thread that
 * runs it.
 */
struct section {
	struct section_step *steps;
	unsigned int step_count;
	unsigned int gap_room;
	int priority_max; /* highest priority of a caller */
	u64 chunk_iterations;
	s64 chunk_ps;
	s64 gap_ns;

	atomic_t is_running;
	struct immpc_event *events;
	unsigned int event_count;
	unsigned int gap_count;
	u64 lost_gaps;
	s64 seen_ns; /* the last look at the clock */
};

struct driver_file {
	struct mutex making;	 /* of resources and sections */
	struct xarray resources; /* struct resource_lock */
	struct xarray sections;	 /* struct section */
};

/* resource.c */
long resource_make(struct driver_file *file, const struct immpc_resource __user *argument);

/*
 * Note that `inner` is locked while `outer` is held. -EDEADLK: they also nest the other way round.
 */
int resource_nest(struct driver_file *file, unsigned long outer, unsigned long inner);

static __always_inline void resource_acquire(struct resource_lock *resource)
{
	if (resource->kind == IMMPC_KIND_RT_MUTEX)
		rt_mutex_lock(&resource->rt_mutex);
	else
		immpc_mutex_lock(&resource->immpc_mutex);
}

static __always_inline void resource_release(struct resource_lock *resource)
{
	if (resource->kind == IMMPC_KIND_RT_MUTEX)
		rt_mutex_unlock(&resource->rt_mutex);
	else
		immpc_mutex_unlock(&resource->immpc_mutex);
}

/* section.c */
long section_make(struct driver_file *file, const struct immpc_section __user *argument);
void section_free(struct section *section);

/* run.c */
long section_run(struct driver_file *file, struct immpc_run __user *argument);

/* cost.c */
long cost_measure(struct immpc_cost __user *argument);

/* May the caller lock a mutex of that ceiling? */
bool caller_keeps(int ceiling);

#endif
