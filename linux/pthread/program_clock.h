/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROGRAM_CLOCK_H
#define PLF_PROGRAM_CLOCK_H

#include <stdbool.h>
#include <time.h>

/* The clock as the program reads it. */
extern int (*plf_program_clock)(clockid_t, struct timespec *);

/* Does another library give the time? Then deadlines follow its clock, not the kernel's. */
extern bool plf_is_clock_foreign;

#endif
