/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SHUTDOWN_H
#define PLF_TEST_SHUTDOWN_H

/* Where each image ends. tests.txt has the codes. */
enum { IN_TASK, IN_STARTUP, IN_ERROR, IN_ISR };

#endif
