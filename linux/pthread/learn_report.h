/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_LEARN_REPORT_H
#define PLF_PTHREAD_LEARN_REPORT_H

/* The evidence goes to `path` when the process ends; learning begins now. */
void plf_learn_report_start(const char *path);

/* In the child of fork(): likewise, to a file of its own. */
void plf_learn_report_after_fork(void);

#endif
