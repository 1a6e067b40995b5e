/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROCESS_H
#define PLF_PROCESS_H

/* The state of the process: its settings, and the features of the system. */
#include <stdbool.h>

enum plf_mode {
	PLF_MODE_LAZY,
	PLF_MODE_EAGER, /* mutexes of ours, priorities by system call */
	PLF_MODE_OFF	/* everything goes to the C library */
};

extern enum plf_mode plf_mode;

/* PLAFOND_ROBUST=1: a mutex may be robust and priority protected. */
extern bool plf_robust_allowed;

/* Has this system restartable sequences, and a way to restart them? */
bool plf_has_sequences(void);

/* Learning begins: from now on the caller, and new threads, lock plain mutexes where that sees it.
 */
void plf_watch_plain_mutexes(void);

/* Read the environment and look at the system, if that was not done yet. */
void plf_process_begin(void);

/* The process ends: write the reports that were asked for, once. Safe in a signal handler. */
void plf_process_end(void);

#endif
