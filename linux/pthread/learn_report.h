/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_LEARN_REPORT_H
#define PLF_PTHREAD_LEARN_REPORT_H

/* The evidence goes to `path` when the process ends; learning begins now. */
void plf_learn_report_start(const char *path);

/* In the child of fork(): likewise, to a file of its own. */
void plf_learn_report_after_fork(void);

/* The process is about to give rights away: open its file, as plf_target_keep() does. */
void plf_learn_keep(void);

/*
 * While learning, the process ends by exit(): find the names of the mutexes' sites. It locks the
 * loader, as exit() does.
 */
void plf_learn_find_symbols(void);

/*
 * While learning, the process ends: write the file, once. No lock, no allocation: it may be called
 * from _exit() in a signal handler. Nothing happens in a child of vfork().
 */
void plf_learn_write(void);

#endif
