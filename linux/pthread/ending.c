/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* The ways to end a process without destructors. A death by signal is not handled. */
#include "libc.h"
#include "process.h"

#include <stdlib.h>
#include <unistd.h>

PLF_EXPORT void _exit(int status)
{
	plf_process_end();
	PLF_LIBC(_exit)(status);
	__builtin_unreachable();
}

PLF_EXPORT void _Exit(int status)
{
	_exit(status);
}
