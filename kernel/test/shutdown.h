/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SHUTDOWN_H
#define PLF_TEST_SHUTDOWN_H

/* The place at which each image ends. tests.txt has the exit codes. */
enum { IN_TASK, IN_STARTUP, IN_ERROR, IN_ISR };

#endif
