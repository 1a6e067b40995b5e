/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_LEARN_REPORT_H
#define PLF_PTHREAD_LEARN_REPORT_H

/* Learning begins. The evidence goes to `path` when the process ends. */
void plf_learn_report_start(const char *path);

/* In the child of fork(): the same, with the child's own file. */
void plf_learn_report_after_fork(void);

/* The process is about to give rights away: open its file before, as plf_target_keep() does. */
void plf_learn_keep(void);

/*
 * While learning, when the process ends by exit(): find the symbols of the mutexes' sites. It locks
 * the loader, as exit() does.
 */
void plf_learn_find_symbols(void);

/*
 * While learning, when the process ends: write the file, once. It takes no lock and allocates
 * nothing, so _exit() in a signal handler may call it. It does nothing in a child of vfork().
 */
void plf_learn_write(void);

#endif
