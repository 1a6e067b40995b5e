/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARED_H
#define PLF_SHARED_H

/* The common part of the protocols' words. */
#include "plf_bound.h"
#include "plf_global_members.h"
#include "plf_sharing_members.h"
#include "system.h"

enum { PLF_PAGE_SIZE = 4096 };

/*
 * Extended status: the properties of the running task that GetResource and ReleaseResource check.
 */
struct plf_checks {
	uint32_t top;	    /* 1 + the resource entered last; 0: none is held */
	uint32_t masked;    /* whether it holds interrupts back */
	uint64_t resources; /* bit mask of the resources that it may enter */
};

/* Words of a resource, which belong to its holder. */
struct plf_resource_words {
	plf_bound saved; /* the holder's bound before the section */
	uint32_t below;	 /* extended status: `top` before the section */
	PLF_SHARING_RESOURCE
};

/* Words of a task for a global resource. */
struct plf_global_words {
	uint64_t bit;	 /* the task's mark in the resource's queue: PLF_GLOBAL_MARK() */
	uint64_t beside; /* its core: plf_global_beside() */
	plf_bound saved; /* as above */
	uint32_t below;	 /* spinlocks: as above */
};

#endif
