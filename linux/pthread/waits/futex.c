/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Languages and libraries with their own locks sleep in futex(2) by syscall(): Rust's standard
 * library, C++20's atomic waits, Qt, GLib. Scheduling calls by syscall() count as their functions
 * do. Other system calls pass.
 *
 * This library's own system calls do not come here, because its references to syscall() are linked
 * to __wrap_syscall(), see sources.cmake.
 */
#include "interpose.h"
#include "report.h"
#include "system_call.h"

#include <linux/futex.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool sleeps(const struct plf_system_call *call)
{
	if (call->number != SYS_futex)
		return call->number == SYS_futex_waitv;
	switch (call->argument[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return true;
	default:
		return false;
	}
}

static long pass(const struct plf_system_call *call)
{
	const long *a = call->argument;

	return PLF_LIBC(syscall)(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long sleep_in(const struct plf_system_call *call)
{
	PLF_SLEEPS;
	return pass(call);
}

PLF_EXPORT long syscall(long number, ...)
{
	struct plf_system_call call = PLF_SYSTEM_CALL(number);
	long result;

	if (plf_scheduling_call(&call, &result))
		return result;
	if (plf_reports_are_wanted)
		plf_before_system_call(&call);
	return __builtin_expect(sleeps(&call), 0) ? sleep_in(&call) : pass(&call);
}
