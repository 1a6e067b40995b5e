/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cond_libc.h"

#include "libraries.h"
#include "symbols.h"

#include <dlfcn.h>

extern struct plf_cond_function __start_plf_cond_libc[], __stop_plf_cond_libc[];

/* Functions of another library behind the drop-in have no version, so dlvsym() passes over them. */
static void *look_up(struct plf_cond_function *wanted)
{
	void *next = dlsym(RTLD_NEXT, wanted->function.name);
	void *address = NULL;

	if (next != NULL && plf_object_of(next) == plf_own_libc())
		address = dlvsym(RTLD_NEXT, wanted->function.name, wanted->version);
	if (address == NULL)
		address = next;
	__atomic_store_n(&wanted->function.address, address, __ATOMIC_RELAXED);
	return address;
}

void *plf_cond_libc_find(struct plf_cond_function *wanted)
{
	void *address = look_up(wanted);

	return address != NULL ? address : plf_libc_find(&wanted->function);
}

/* A function that this C library lacks is missed when it is called, if ever. */
void plf_cond_libc_find_all(void)
{
	for (struct plf_cond_function *f = __start_plf_cond_libc; f < __stop_plf_cond_libc; f++)
		look_up(f);
}
