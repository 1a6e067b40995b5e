/* SPDX-License-Identifier: MIT */
#ifndef RUN_TRACEPOINT_H
#define RUN_TRACEPOINT_H

/* The kernel's number of the tracepoint raw_syscalls:sys_enter, or -1. */
int sys_enter_tracepoint(void);

#endif
