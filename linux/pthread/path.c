/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "path.h"

#include "site.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unwind.h>

enum {
	DEEPEST = 16, /* frames; bounds a recursion that depends on data */
	LARGEST_NUMBER = 0xffff,
};

bool plf_paths_matter;
static __thread uint64_t created;

/* A path while it is computed, from the innermost frame on. */
struct walk {
	uint64_t path;
	int frames;
	uintptr_t first; /* address on the stack of the program's first frame */
	uintptr_t last;	 /* address on the stack of the outermost frame seen */
};

static const void *object_of(const void *address)
{
	struct dl_find_object found;

	if (_dl_find_object((void *)(uintptr_t)address, &found) != 0)
		return NULL;
	return found.dlfo_link_map;
}

/* Calls of the C library and of the drop-in are no part of a path. */
static bool is_of_program(const void *address)
{
	const void *object = object_of(address);

	return object != NULL && object != object_of((const void *)(uintptr_t)&plf_path_with) &&
	       object != object_of((const void *)(uintptr_t)&strtoull);
}

static _Unwind_Reason_Code take(struct _Unwind_Context *context, void *argument)
{
	const void *address = (const void *)_Unwind_GetIP(context);
	struct walk *walk = argument;
	struct plf_site site;

	walk->last = (uintptr_t)_Unwind_GetCFA(context);
	if (!is_of_program(address))
		return _URC_NO_REASON;
	if (walk->frames == 0)
		walk->first = walk->last;
	plf_site_of(address, &site);
	walk->path = plf_site_key(site.module, site.offset, walk->path, 0);
	return ++walk->frames < DEEPEST ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* A variable of one of these calls has the same distance from the first frame in every run. */
static bool is_on_stack(const struct walk *walk, uintptr_t address)
{
	return address > (uintptr_t)walk && address < walk->last;
}

uint64_t plf_path_with(const void *argument)
{
	struct walk walk = { .path = created };
	uintptr_t address = (uintptr_t)argument;
	struct plf_site site;

	if (!plf_paths_matter)
		return 0;
	_Unwind_Backtrace(take, &walk);
	plf_site_of(argument, &site);
	if (is_on_stack(&walk, address))
		site.offset = address - walk.first;
	else if (address <= LARGEST_NUMBER)
		site.offset = address;
	return plf_site_key(site.module, site.offset, walk.path, 0);
}

void plf_path_of_thread(uint64_t path)
{
	created = path;
}
