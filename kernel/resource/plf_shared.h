/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARED_H
#define PLF_SHARED_H

/* The common part of the protocols' words. */
#include "plf_bound.h"
#include "plf_global_members.h"
#include "plf_sharing_members.h"
#include "system.h"

enum { PLF_PAGE_SIZE = 4096 };

/* Extended status: what GetResource and ReleaseResource check, of the running task. */
struct plf_checks {
	uint32_t top;	    /* 1 + the resource entered last; 0: none is held */
	uint32_t masked;    /* whether it holds interrupts back */
	uint64_t resources; /* those that it may enter, a bit each */
};

/* Of the holder of a resource. */
struct plf_resource_words {
	plf_bound saved; /* what it had before */
	uint32_t below;	 /* extended status: what `top` was before */
	PLF_SHARING_RESOURCE
};

/* Of a global resource, each task's own. */
struct plf_global_words {
	uint64_t bit;	 /* the task, in the resource's queue: PLF_GLOBAL_MARK() */
	uint64_t beside; /* its core: plf_global_beside() */
	plf_bound saved; /* as above */
	uint32_t below;	 /* spinlocks: as above */
};

#endif
