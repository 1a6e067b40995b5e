/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_NESTING_H
#define PLF_TEST_CORES_NESTING_H

#include "check.h"

/*
 * How often another core interrupts a routine that computes: the simulated one has whole routines.
 * Where one core executes at a time, another one has its turn at a YIELD.
 */
#ifdef __aarch64__
enum { STORM = 200 };
#define YIELD() __asm__ volatile("yield")
#else
enum { STORM = 0 };
#define YIELD()
#endif

/* Of each routine: how often it has run. Each has one writer. */
extern uint32_t weak0, strong0, lone1, weak1, strong1;
extern uint32_t of_1; /* how often that task has run */

#endif
