/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_CALL_H
#define PLF_SYSTEM_CALL_H

/*
 * The arguments behind the number of a system call. There are up to six. In place of missing
 * arguments this reads something of the caller's, as libc's syscall() does, and must not write it.
 * So they are variable arguments, not parameters.
 */
#include <stdarg.h>
#include <stdbool.h>

struct plf_system_call {
	long number;
	long argument[6];
};

#define PLF_SYSTEM_CALL(number_)                                                                   \
	({                                                                                         \
		struct plf_system_call plf_call = { .number = (number_) };                         \
		va_list plf_list;                                                                  \
		va_start(plf_list, number_);                                                       \
		for (int plf_i = 0; plf_i < 6; plf_i++)                                            \
			plf_call.argument[plf_i] = va_arg(plf_list, long);                         \
		va_end(plf_list);                                                                  \
		plf_call;                                                                          \
	})

/* Before a system call that may give rights away. */
void plf_before_system_call(const struct plf_system_call *call);

/* If it is a scheduling call, make it by our interposed function and return true. */
bool plf_scheduling_call(const struct plf_system_call *call, long *result);

#endif
