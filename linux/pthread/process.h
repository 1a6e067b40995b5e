/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROCESS_H
#define PLF_PROCESS_H

/* The beginning, the forks and the end of the process. */

/* From now on the caller and new threads lock plain mutexes by functions that see each lock. */
void plf_see_locks(void);

/* Read the environment and look at the system, unless that was done. */
void plf_process_begin(void);

/* The process ends: write the reports that were asked for, once. Safe in a signal handler. */
void plf_process_end(void);

#endif
