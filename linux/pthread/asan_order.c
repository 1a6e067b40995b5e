/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * AddressSanitizer's runtime, if it is a shared library, ends a program in which another library
 * stands before it, because an allocator there would break it. The runtime takes the order from
 * dl_iterate_phdr(). The drop-in allocates nothing for the program, so the runtime gets it last.
 */
#include "libc.h"
#include "libraries.h"
#include "symbols.h"

#include <stdint.h>

struct visit {
	int (*call)(struct dl_phdr_info *info, size_t size, void *data);
	void *data;
	const struct link_map *us;
	bool to_us;
};

static int visit_some(struct dl_phdr_info *info, size_t size, void *argument)
{
	const struct visit *visit = argument;
	bool is_us = info->dlpi_addr == visit->us->l_addr;

	return is_us == visit->to_us ? visit->call(info, size, visit->data) : 0;
}

static bool is_asan(const void *caller)
{
	const struct link_map *library = plf_object_of(caller);

	return library != NULL && plf_exports(library, "__asan_init");
}

PLF_EXPORT int dl_iterate_phdr(int (*call)(struct dl_phdr_info *, size_t, void *), void *data)
{
	struct visit visit = { .call = call, .data = data };
	int result;

	if (!is_asan(__builtin_return_address(0)))
		return PLF_LIBC(dl_iterate_phdr)(call, data);
	visit.us = plf_object_of((void *)(uintptr_t)dl_iterate_phdr);
	result = PLF_LIBC(dl_iterate_phdr)(visit_some, &visit);
	visit.to_us = true;
	return result != 0 ? result : PLF_LIBC(dl_iterate_phdr)(visit_some, &visit);
}
