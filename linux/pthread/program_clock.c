/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program_clock.h"

#include "libraries.h"

#include <dlfcn.h>

int (*plf_program_clock)(clockid_t, struct timespec *) = clock_gettime;
bool plf_is_clock_foreign;

__attribute__((constructor)) static void find_clock(void)
{
	void *found = dlsym(RTLD_DEFAULT, "clock_gettime");

	plf_program_clock = (__typeof__(plf_program_clock))found;
	plf_is_clock_foreign = found != plf_libc_function("clock_gettime");
}
