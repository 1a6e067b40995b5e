/* SPDX-License-Identifier: MIT */
#ifndef PLF_FUNCTION_H
#define PLF_FUNCTION_H

/*
 * Protected functions: a task calls a function of another application, which runs in user mode with
 * that application's memory. These are migrating threads, as in Composite: Parmer, "The Case for
 * Thread Migration: Predictable IPC in a Customizable and Reliable OS", OSPERT 2010, Sections II
 * and III.
 *
 * A domain is a task in an application: translation tables, a stack, and the functions that its
 * code may call. The first PLF_TASKS domains are the tasks in their home applications, by index. A
 * description adds a domain for each other application that a task can reach. A call changes only
 * memory, stack and program counter. It decides nothing and takes the same time in every system.
 * The description has no circle of calls, so a task is in each domain at most once, and at most
 * PLF_MOST_DEEP calls deep.
 *
 * Invariants:
 *  C1  the port keeps as many frames of a task as the task has open calls;
 *  C2  while a task runs, the tables of its domain are in force. That is the domain of the last
 *      frame's callee. Without a frame it is the task's home, the domain with the task's index;
 *  C3  user code enters a domain only at a function that the previous domain lists, at the top of
 *      the domain's stack. It leaves a domain only to the place behind the call;
 *  C4  in a call, no service ends or suspends the caller, changes its sections, clears its events,
 *      or changes whether it holds interrupts back. Only the tables of homes map the words of
 *      sections, and the services for the rest refuse callees. ProtectionHook may end a faulty
 *      task;
 *  C5  a call or a return changes nothing that the scheduler reads;
 *  C6  four words pass in, and a status and a word pass out. All other registers are zero;
 *  C7  a forced return restores the caller as C3 requires, whatever the callee did to its
 *      registers, stack and memory.
 */
#include "core.h"

/* Return the application whose memory the running task has. */
ApplicationType plf_callee_on(const struct plf_core *core);

/* Return whether the running task is in a call, in which no code may call this service: C4. */
bool plf_is_refused_inside(const struct plf_core *core, uintptr_t number);

/*
 * ProtectionHook answered PRO_RETURN for a fault of the running task. Make its last call return
 * with the status. False: the task is in no call.
 */
__attribute__((warn_unused_result)) bool plf_force_return(struct plf_core *core, StatusType status);

#endif
