/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_NESTING_H
#define PLF_TEST_CORES_NESTING_H

#include "check.h"

/*
 * Number of times that another core interrupts a routine that computes. On the simulated processor
 * routines are atomic. If a single core executes at a time, another core gets a turn at YIELD().
 */
#ifdef __aarch64__
enum { STORM = 200 };
#define YIELD() __asm__ volatile("yield")
#else
enum { STORM = 0 };
#define YIELD()
#endif

/* Number of runs of each routine. Each word has a single writer. */
extern uint32_t weak0, strong0, lone1, weak1, strong1;
extern uint32_t of_1; /* runs of that task */

#endif
