/* SPDX-License-Identifier: MIT */
#ifndef PLF_FUNCTION_H
#define PLF_FUNCTION_H

/*
 * Protected functions: a task calls a function of another application, which runs in user mode with
 * the memory of that application. Migrating threads, as in Composite: Parmer, "The Case for Thread
 * Migration: Predictable IPC in a Customizable and Reliable OS", OSPERT 2010, Sections II and III.
 *
 * A domain is a task in an application: tables of translation, a stack, and the functions that
 * its code may call. The first PLF_TASKS domains are the tasks in their own applications, by index;
 * a description gives each task one more for each application that it can reach. The path of a
 * call moves memory, stack and program counter, and nothing else: it decides nothing, and takes the
 * same time whatever the system has. The description has no circle of calls, so that a task is in
 * each domain once at most, and not deeper than PLF_MOST_DEEP.
 *
 * Invariants:
 *  C1  the port keeps as many frames of a task as it has open calls;
 *  C2  while a task runs, the tables of its domain are in force: the domain of the last frame's
 *      callee, or without a frame its home, the domain with the task's index;
 *  C3  user code gets into a domain only at the entry of a function that the domain before lists,
 *      at the top of the domain's stack; and out of it only behind the call;
 *  C4  no service ends or suspends the caller, changes its sections, clears its events, or changes
 *      whether it holds interrupts back: the words of sections are in the tables of homes alone,
 *      and the services for all of this refuse callees. ProtectionHook may end a faulty task;
 *  C5  a call or a return changes nothing that the scheduler reads;
 *  C6  four words pass in, a status and a word out: all other registers are zero;
 *  C7  a forced return restores the caller as C3 has it, whatever the callee did to its registers,
 *      its stack and its memory.
 */
#include "core.h"

/* The application whose memory the running task has. */
ApplicationType plf_callee_on(const struct plf_core *core);

/* Whether the running task is in a call, in which no code may call this service: C4. */
bool plf_is_refused_inside(const struct plf_core *core, uintptr_t number);

/*
 * ProtectionHook has answered PRO_RETURN for what the running task did: its last call returns with
 * the status. False: the task is in no call.
 */
__attribute__((warn_unused_result)) bool plf_force_return(struct plf_core *core, StatusType status);

#endif
