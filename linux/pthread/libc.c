/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "libc.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern struct plf_libc_function __start_plf_libc[], __stop_plf_libc[];

static void print(const char *text)
{
	syscall(SYS_write, STDERR_FILENO, text, strlen(text));
}

/* The caller was linked with the function, so nothing can be done if it is missing. */
void *plf_libc_find(struct plf_libc_function *function)
{
	void *address = dlsym(RTLD_NEXT, function->name);

	if (address == NULL) {
		print("plafond: the C library has no ");
		print(function->name);
		print("()\n");
		abort();
	}
	__atomic_store_n(&function->address, address, __ATOMIC_RELAXED);
	return address;
}

/* A function that this C library lacks is missed when it is called, if ever. */
void plf_libc_find_all(void)
{
	for (struct plf_libc_function *f = __start_plf_libc; f < __stop_plf_libc; f++)
		__atomic_store_n(&f->address, dlsym(RTLD_NEXT, f->name), __ATOMIC_RELAXED);
}
