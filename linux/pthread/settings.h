/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_SETTINGS_H
#define PLF_PTHREAD_SETTINGS_H

/* The settings of the process, and the features of the system. */
#include <stdbool.h>

/* Read the environment and look at the system. Call once. */
void plf_settings_read(void);

/* In the child of fork(): the kernel may have forgotten that it can restart sequences. */
void plf_settings_after_fork(void);

/* The name of the mode, as in PLAFOND_MODE. */
const char *plf_mode_name(void);

enum plf_mode {
	PLF_MODE_LAZY,
	PLF_MODE_EAGER, /* mutexes of ours, priorities by system call */
	PLF_MODE_OFF	/* everything goes to the C library */
};

extern enum plf_mode plf_mode;

/* PLAFOND_ROBUST=1: a mutex may be robust and priority protected. */
extern bool plf_robust_allowed;

/* Does this system have restartable sequences, and a way to restart them? */
bool plf_has_sequences(void);

#endif
